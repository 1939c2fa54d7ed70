// Large and hot keys, found with a budget. Each test starts a server of its own.
using System.Text;
using System.Text.Json;
using Garnet.Dashboard.Figures;
using Garnet.Dashboard.Keys;
using Garnet.Testing;
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
        List<JsonElement> found = await SampleAllAsync(browser);
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
        Assert.StartsWith("NOPERM", page.GetProperty("memoryProblem").GetString());
        Assert.Contains("'memory|usage'", page.GetProperty("memoryProblem").GetString());
        Assert.Contains("LFU", page.GetProperty("frequencyProblem").GetString());
        Assert.Equal(0, page.GetProperty("keys").GetArrayLength());
        using Browser bob = await server.OpenAsync("bob", "x");
        Assert.StartsWith("NOPERM", (await SampleAsync(bob, "0")).GetProperty("error").GetString());
        // The page has asked first, and tried nothing.
        Assert.Empty(server.Server.InProcess.Execute("ACL", "LOG").Children);
    }

    [Fact]
    public async Task A_user_with_few_keys_of_many_has_those_measured()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.Password = "secret");
        string[] pairs = [.. Enumerable.Range(0, 500).SelectMany(static n => new[] { $"other:{n}", "x" })];
        server.Execute(["MSET", .. pairs]);
        server.Execute("SET", "mine:large", new string('x', 1000));
        server.Execute("SET"u8.ToArray(), [.. "mine:"u8, 0xFF, 0], "x"u8.ToArray());
        server.Execute("ACL", "SETUSER", "ann", "on", ">x", "~mine:*", "+scan", "+memory|usage");
        using Browser ann = await server.OpenAsync("ann", "x");
        JsonElement[] keys = [.. (await SampleAllAsync(ann)).OrderByDescending(static key => key.GetProperty("memory").GetInt64())];
        Assert.Equal(2, keys.Length);
        Assert.Equal("mine:large", NameOf(keys[0]));
        Assert.Equal([.. "mine:"u8, 0xFF, 0], keys[1].GetProperty("key").GetBytesFromBase64());
        Assert.Empty(server.Server.InProcess.Execute("ACL", "LOG").Children);
    }

    [Fact]
    public async Task The_charts_do_not_show_the_measuring_itself()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o =>
            o.MaxMemoryPolicy = EvictionPolicy.AllKeysLfu
        );
        string[] pairs = [.. Enumerable.Range(0, 900).SelectMany(static n => new[] { $"key:{n}", "x" })];
        server.Execute(["MSET", .. pairs]);
        var time = new ManualTimeProvider();
        var recorder = new Recorder(server.Server.Dashboards.Server, time);
        using Browser browser = await server.OpenAsync();
        server.Execute("GET", "key:1");
        await SampleAllAsync(browser);
        await recorder.LookAsync(CancellationToken.None);
        time.Advance(TimeSpan.FromSeconds(1));
        server.Execute("GET", "key:1");
        await SampleAllAsync(browser);
        await recorder.LookAsync(CancellationToken.None);
        Assert.InRange(Latest(recorder, "commands"), 1, 10);
        Assert.Equal(1, Latest(recorder, "hits"));
        Assert.InRange(Latest(recorder, "keys/calls"), 0, 10);
        Assert.Equal(1, Latest(recorder, "strings/calls"));
    }

    private static float Latest(Recorder recorder, string column) => recorder.Latest[Array.IndexOf(FigureList.Names, column)];

    private static async Task<List<JsonElement>> SampleAllAsync(Browser browser)
    {
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

        return found;
    }

    private static async Task<JsonElement> SampleAsync(Browser browser, string cursor) =>
        await browser.PostAsync("api/sample", new { db = 0, cursor });

    private static string NameOf(JsonElement key) => Encoding.UTF8.GetString(key.GetProperty("key").GetBytesFromBase64());
}
