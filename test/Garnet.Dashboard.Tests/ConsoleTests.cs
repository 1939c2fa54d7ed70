// What the console runs and what it refuses. Each test starts a server of its own.
using System.Text.Json;
using Garnet.Testing;
using Xunit;

namespace Garnet.Dashboard.Tests;

public sealed class ConsoleTests
{
    private static readonly string[] Writes =
    [
        "SET key 1",
        "DEL key",
        "EVAL \"return redis.call('SET','key','1')\" 0",
        "EVAL_RO \"return redis.call('SLOWLOG','RESET')\" 0",
        "FCALL_RO function 0",
        "CONFIG SET maxmemory 1",
        "CONFIG RESETSTAT",
        "FLUSHALL",
        "SHUTDOWN NOSAVE",
        "ACL SETUSER eve on nopass +@all",
        "ACL LOG RESET",
        "CLIENT KILL TYPE normal",
        "CLIENT PAUSE 1000",
        "REPLICAOF 127.0.0.1 1",
        "DEBUG SLEEP 1",
        "PUBLISH channel x",
        "SORT key STORE other",
        "GETEX key EX 1",
        "FUNCTION DELETE x",
        "SCRIPT FLUSH",
        "SLOWLOG RESET",
        "LATENCY RESET",
        "BGSAVE",
        "MODULE LOAD x",
        "FAILOVER",
        "MIGRATE 127.0.0.1 1 key 0 1",
        "SWAPDB 0 1",
    ];

    [Fact]
    public async Task A_console_that_reads_runs_nothing_that_writes()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        using Browser browser = await server.OpenAsync();
        foreach (string line in Writes)
        {
            JsonElement answer = await RunAsync(browser, line, confirmed: true);
            Assert.True(answer.TryGetProperty("error", out JsonElement error), line);
            Assert.Contains("only reads", error.GetString());
        }
    }

    [Theory]
    [InlineData("SUBSCRIBE channel")]
    [InlineData("MONITOR")]
    [InlineData("multi")]
    [InlineData("AUTH x")]
    [InlineData("HELLO 2")]
    [InlineData("reset")]
    [InlineData("QUIT")]
    [InlineData("client reply off")]
    [InlineData("CLIENT TRACKING on")]
    [InlineData("CLIENT IMPORT-SOURCE on")]
    [InlineData("SYNC")]
    public async Task The_connection_stays_as_it_is(string line)
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.DashboardWrites = true);
        using Browser browser = await server.OpenAsync();
        Assert.Contains("about a connection", (await RunAsync(browser, line, confirmed: true)).GetProperty("error").GetString());
    }

    [Fact]
    public async Task With_writes_a_dangerous_command_is_asked_for_twice()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.DashboardWrites = true);
        using Browser browser = await server.OpenAsync();
        Assert.Equal("OK", Reply(await RunAsync(browser, "SET \"a\\x00b\" 'it''s'"), "s"));
        Assert.Contains("dangerous", (await RunAsync(browser, "FLUSHALL")).GetProperty("ask").GetString());
        Assert.Equal("1", Reply(await RunAsync(browser, "DBSIZE"), "i"));
        Assert.Equal("OK", Reply(await RunAsync(browser, "FLUSHALL", confirmed: true), "s"));
        Assert.Equal("0", Reply(await RunAsync(browser, "DBSIZE"), "i"));
    }

    [Fact]
    public async Task A_database_is_chosen_with_select()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.DashboardWrites = true);
        using Browser browser = await server.OpenAsync();
        Assert.Equal(3, (await RunAsync(browser, "SELECT 3")).GetProperty("db").GetInt32());
        Assert.Equal("OK", Reply(await RunAsync(browser, "SET key 1", database: 3), "s"));
        Assert.Equal("0", Reply(await RunAsync(browser, "DBSIZE"), "i"));
        Assert.Equal("1", Reply(await RunAsync(browser, "DBSIZE", database: 3), "i"));
        Assert.StartsWith("ERR", Reply(await RunAsync(browser, "SELECT 99"), "e"));
        Assert.StartsWith("ERR", Reply(await RunAsync(browser, "DBSIZE", database: 99), "e"));
    }

    [Theory]
    [InlineData("", "Type a command")]
    [InlineData("GET \"x", "quote")]
    public async Task A_line_that_is_no_command_is_refused(string line, string expected)
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        using Browser browser = await server.OpenAsync();
        Assert.Contains(expected, (await RunAsync(browser, line)).GetProperty("error").GetString());
    }

    [Fact]
    public async Task The_users_rules_hold()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o =>
        {
            o.Password = "secret";
            o.DashboardWrites = true;
        });
        server.Execute("ACL", "SETUSER", "ann", "on", ">x", "~mine:*", "+get", "+set");
        using Browser browser = await server.OpenAsync("ann", "x");
        Assert.Equal("OK", Reply(await RunAsync(browser, "SET mine:1 x"), "s"));
        Assert.StartsWith("NOPERM", Reply(await RunAsync(browser, "SET other x"), "e"));
        Assert.StartsWith("NOPERM", Reply(await RunAsync(browser, "CONFIG SET maxmemory 1", confirmed: true), "e"));
        server.Execute("ACL", "SETUSER", "ann", "-set");
        Assert.StartsWith("NOPERM", Reply(await RunAsync(browser, "SET mine:1 x"), "e"));
        Assert.StartsWith("ERR unknown command", Reply(await RunAsync(browser, "NOSUCH"), "e"));
    }

    private static async Task<JsonElement> RunAsync(Browser browser, string line, bool confirmed = false, int database = 0) =>
        await browser.PostAsync(
            "api/command",
            new
            {
                db = database,
                line,
                confirmed,
            }
        );

    private static string Reply(JsonElement answer, string kind) => answer.GetProperty("reply").GetProperty(kind).GetString()!;
}
