// Keys and their values, as the page asks for them. Each test starts a server of its own.
using System.Net;
using System.Text;
using System.Text.Json;
using Garnet.Dashboard.Keys;
using Garnet.Testing;
using Xunit;

namespace Garnet.Dashboard.Tests;

public sealed class KeyTests
{
    [Fact]
    public async Task A_search_finds_all_keys_and_stops_at_its_budget()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        const int Count = 50_000;
        for (int i = 0; i < Count; i += 1000)
        {
            string[] pairs = [.. Enumerable.Range(i, 1000).SelectMany(static n => new[] { $"key:{n}", "x" })];
            server.Execute(["MSET", .. pairs]);
        }

        using Browser browser = await server.OpenAsync();
        JsonElement none = await ScanAsync(browser, "nothing*", "0");
        Assert.InRange(none.GetProperty("examined").GetInt32(), 1, KeyBrowser.Budget);
        Assert.NotEqual("0", none.GetProperty("cursor").GetString());
        Assert.Equal(0, none.GetProperty("keys").GetArrayLength());
        HashSet<string> found = [];
        string cursor = "0";
        do
        {
            JsonElement page = await ScanAsync(browser, "key:*", cursor);
            Assert.InRange(page.GetProperty("keys").GetArrayLength(), 0, 1000);
            found.UnionWith(page.GetProperty("keys").EnumerateArray().Select(static key => key.GetString()!));
            cursor = page.GetProperty("cursor").GetString()!;
        } while (cursor != "0");

        Assert.Equal(Count, found.Count);
    }

    [Fact]
    public async Task A_key_of_any_bytes_is_found_and_described()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        using Browser browser = await server.OpenAsync();
        foreach (byte[] name in HostileText.All)
        {
            server.Execute("FLUSHALL");
            server.Execute("SET"u8.ToArray(), name, name);
            string key = (await ScanAsync(browser, "*", "0")).GetProperty("keys")[0].GetString()!;
            Assert.Equal(name, Convert.FromBase64String(key));
            JsonElement about = await browser.PostAsync("api/key", new { db = 0, key });
            Assert.Equal("string", about.GetProperty("type").GetProperty("s").GetString());
            Assert.Equal("-1", about.GetProperty("ttl").GetProperty("i").GetString());
            Assert.Equal(name.Length.ToString(), about.GetProperty("length").GetProperty("i").GetString());
            JsonElement value = await browser.PostAsync(
                "api/value",
                new
                {
                    db = 0,
                    key,
                    type = "string",
                    from = "",
                }
            );
            Assert.Equal(name, value.GetProperty("reply").GetProperty("b").GetBytesFromBase64());
            Assert.False(value.TryGetProperty("next", out JsonElement _));
        }
    }

    [Theory]
    [InlineData("list", "RPUSH", false)]
    [InlineData("set", "SADD", false)]
    [InlineData("zset", "ZADD", true)]
    [InlineData("hash", "HSET", true)]
    [InlineData("stream", "XADD", true)]
    public async Task A_value_of_any_type_comes_in_pages(string type, string add, bool isOfPairs)
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        const int Count = 1050;
        for (int i = 0; i < Count; i++)
        {
            server.Execute(
                type == "stream" ? [add, "key", "*", "f", $"{i}"]
                : isOfPairs ? [add, "key", $"{i}", $"{i}"]
                : [add, "key", $"{i}"]
            );
        }

        using Browser browser = await server.OpenAsync();
        HashSet<string> seen = [];
        (string from, int pages) = ("", 0);
        while (true)
        {
            JsonElement page = await browser.PostAsync(
                "api/value",
                new
                {
                    db = 0,
                    key = Base64("key"),
                    type,
                    from,
                }
            );
            Collect(page.GetProperty("reply"), seen);
            pages++;
            if (!page.TryGetProperty("next", out JsonElement next))
                break;
            from = next.GetString()!;
        }

        Assert.True(pages >= 10, $"{pages} pages");
        Assert.Equal(Count, Enumerable.Range(0, Count).Count(i => seen.Contains($"{i}")));
    }

    [Fact]
    public async Task A_large_string_comes_in_pages_and_one_that_cannot_be_shown_harms_nothing()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        server.Execute("SET", "large", "");
        server.Execute("SETRANGE", "large", $"{100_000_000 - 1}", "x");
        server.Execute("RPUSH", "list", "small");
        server.Execute("RPUSH"u8.ToArray(), "list"u8.ToArray(), new byte[10_000_000]);
        using Browser browser = await server.OpenAsync();
        JsonElement first = await browser.PostAsync(
            "api/value",
            new
            {
                db = 0,
                key = Base64("large"),
                type = "string",
                from = "",
            }
        );
        Assert.Equal(65_536, first.GetProperty("reply").GetProperty("b").GetBytesFromBase64().Length);
        Assert.Equal("65536", first.GetProperty("next").GetString());
        string body = JsonSerializer.Serialize(
            new
            {
                db = 0,
                key = Base64("list"),
                type = "list",
                from = "1",
            }
        );
        Assert.Equal(HttpStatusCode.BadGateway, await browser.StatusAsync(HttpMethod.Post, "api/value", body));
        string get = JsonSerializer.Serialize(new { db = 0, line = "GET large" });
        Assert.Equal(HttpStatusCode.BadGateway, await browser.StatusAsync(HttpMethod.Post, "api/command", get));
        // The next command has a new connection.
        JsonElement ping = await browser.PostAsync("api/command", new { db = 0, line = "PING" });
        Assert.Equal("PONG", ping.GetProperty("reply").GetProperty("s").GetString());
    }

    [Theory]
    [InlineData("list", "RPUSH")]
    [InlineData("set", "SADD")]
    public async Task Large_elements_come_fewer_at_a_time(string type, string add)
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        for (int i = 0; i < 100; i++)
            server.Execute(add, "key", $"{i}:{new string('x', 400_000)}");
        using Browser browser = await server.OpenAsync();
        HashSet<string> seen = [];
        string? from = "";
        while (from is not null)
        {
            JsonElement page = await browser.PostAsync(
                "api/value",
                new
                {
                    db = 0,
                    key = Base64("key"),
                    type,
                    from,
                }
            );
            Assert.InRange(page.GetRawText().Length, 1, 12_000_000);
            Collect(page.GetProperty("reply"), seen);
            from = page.TryGetProperty("next", out JsonElement next) ? next.GetString() : null;
        }

        Assert.Equal(100, seen.Count);
    }

    // Without a limit on the whole, it would be held in memory several times.
    [Fact]
    public async Task Many_elements_that_are_large_together_are_not_shown()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        for (int i = 0; i < 30; i++)
            server.Execute("RPUSH", "list", new string('x', 1_000_000));
        using Browser browser = await server.OpenAsync();
        string all = JsonSerializer.Serialize(new { db = 0, line = "LRANGE list 0 -1" });
        Assert.Equal(HttpStatusCode.BadGateway, await browser.StatusAsync(HttpMethod.Post, "api/command", all));
    }

    // The longest value that there is; its last page is asked for, too.
    [Fact]
    public async Task A_value_of_512_MiB_is_read_a_page_at_a_time()
    {
        const int Length = 512 << 20;
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        server.Execute("SETRANGE", "huge", $"{Length - 1}", "x");
        using Browser browser = await server.OpenAsync();
        string key = Base64("huge");
        Assert.Equal(
            $"{Length}",
            (await browser.PostAsync("api/key", new { db = 0, key })).GetProperty("length").GetProperty("i").GetString()
        );
        foreach ((string from, int expected) in new[] { ("", 64 << 10), ($"{Length - 1}", 1) })
        {
            var about = new
            {
                db = 0,
                key,
                type = "string",
                from,
            };
            JsonElement page = await browser.PostAsync("api/value", about);
            Assert.Equal(expected, page.GetProperty("reply").GetProperty("b").GetBytesFromBase64().Length);
        }
    }

    [Fact]
    public async Task Each_fact_of_a_key_needs_its_own_right()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.Password = "secret");
        server.Execute("SET", "mine:1", "x");
        server.Execute("SET", "other", "x");
        server.Execute("ACL", "SETUSER", "ann", "on", ">x", "~mine:*", "+type", "+pttl");
        using Browser browser = await server.OpenAsync("ann", "x");
        JsonElement mine = await browser.PostAsync("api/key", new { db = 0, key = Base64("mine:1") });
        Assert.Equal("string", mine.GetProperty("type").GetProperty("s").GetString());
        Assert.Equal("-1", mine.GetProperty("ttl").GetProperty("i").GetString());
        Assert.StartsWith("NOPERM", mine.GetProperty("memory").GetProperty("e").GetString());
        JsonElement other = await browser.PostAsync("api/key", new { db = 0, key = Base64("other") });
        Assert.StartsWith("NOPERM", other.GetProperty("type").GetProperty("e").GetString());
        Assert.StartsWith("NOPERM", (await ScanAsync(browser, "*", "0")).GetProperty("error").GetString());
        // The page has asked first, and tried nothing.
        Assert.Empty(server.Server.InProcess.Execute("ACL", "LOG").Children);
    }

    [Fact]
    public async Task A_connection_that_was_killed_is_replaced()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        using Browser browser = await server.OpenAsync();
        await browser.PostAsync("api/command", new { db = 0, line = "PING" });
        using (var client = RespExchange.Connect(server.Server.EndPoints[0]))
            Assert.Equal(":1\r\n", client.ExecuteText("CLIENT", "KILL", "NAME", "garnet-dashboard"));
        // The first one may meet the end of the old connection.
        await browser.StatusAsync(HttpMethod.Post, "api/command", JsonSerializer.Serialize(new { db = 0, line = "PING" }));
        JsonElement ping = await browser.PostAsync("api/command", new { db = 0, line = "PING" });
        Assert.Equal("PONG", ping.GetProperty("reply").GetProperty("s").GetString());
    }

    private static async Task<JsonElement> ScanAsync(Browser browser, string pattern, string cursor) =>
        await browser.PostAsync(
            "api/scan",
            new
            {
                db = 0,
                pattern = Base64(pattern),
                cursor,
            }
        );

    private static string Base64(string text) => Convert.ToBase64String(Encoding.UTF8.GetBytes(text));

    private static void Collect(JsonElement reply, HashSet<string> seen)
    {
        if (reply.TryGetProperty("b", out JsonElement bytes))
            seen.Add(Encoding.UTF8.GetString(bytes.GetBytesFromBase64()));
        foreach (string kind in new[] { "a", "m" })
        {
            if (!reply.TryGetProperty(kind, out JsonElement children))
                continue;
            foreach (JsonElement child in children.EnumerateArray())
                Collect(child, seen);
        }
    }
}
