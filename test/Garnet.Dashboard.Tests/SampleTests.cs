// Large and hot keys, found with a budget. Each test starts a server of its own.
using System.Text;
using System.Text.Json;
using Garnet.Dashboard.Keys;
using Xunit;

namespace Garnet.Dashboard.Tests;

public sealed class SampleTests
{
    [Fact]
    public async Task The_largest_and_the_hottest_key_are_found_within_the_budget_of_each_request()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o =>
            o.MaxMemoryPolicy = EvictionPolicy.AllKeysLfu
        );
        string[] pairs = [.. Enumerable.Range(0, 5000).SelectMany(static n => new[] { $"key:{n}", "x" })];
        server.Execute(["MSET", .. pairs]);
        server.Execute("SET", "large", new string('x', 100_000));
        for (int i = 0; i < 10_000; i++)
            server.Execute("GET", "key:7");
        using Browser browser = await server.OpenAsync();
        List<JsonElement> found = [];
        string cursor = "0";
        do
        {
            JsonElement page = await SampleAsync(browser, cursor);
            Assert.InRange(page.GetProperty("examined").GetInt32(), 1, KeySampler.Budget);
            Assert.InRange(page.GetProperty("keys").GetArrayLength(), 0, 2 * KeySampler.Top);
            found.AddRange(page.GetProperty("keys").EnumerateArray());
            cursor = page.GetProperty("cursor").GetString()!;
        } while (cursor != "0");

        Assert.Equal("large", NameOf(found.MaxBy(static key => key.GetProperty("memory").GetInt64())));
        Assert.Equal("key:7", NameOf(found.MaxBy(static key => key.GetProperty("frequency").GetInt64())));
    }

    [Fact]
    public async Task Each_measure_says_what_it_needs()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.Password = "secret");
        for (int i = 0; i < 50; i++)
            server.Execute("SET", $"key:{i}", "x");
        server.Execute("ACL", "SETUSER", "ann", "on", ">x", "~*", "+scan", "+object|freq");
        server.Execute("ACL", "SETUSER", "bob", "on", ">x", "~*");
        using Browser ann = await server.OpenAsync("ann", "x");
        JsonElement page = await SampleAsync(ann, "0");
        Assert.Contains("'memory|usage'", page.GetProperty("memoryProblem").GetString());
        Assert.Contains("LFU", page.GetProperty("frequencyProblem").GetString());
        Assert.Equal(0, page.GetProperty("keys").GetArrayLength());
        using Browser bob = await server.OpenAsync("bob", "x");
        Assert.StartsWith("NOPERM", (await SampleAsync(bob, "0")).GetProperty("error").GetString());
    }

    private static async Task<JsonElement> SampleAsync(Browser browser, string cursor) =>
        await browser.PostAsync("api/sample", new { db = 0, cursor });

    private static string NameOf(JsonElement key) => Encoding.UTF8.GetString(key.GetProperty("key").GetBytesFromBase64());
}
