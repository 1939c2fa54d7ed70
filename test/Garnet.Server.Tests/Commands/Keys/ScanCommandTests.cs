// SCAN: completeness, filters, options, cursors. One thread.
using Garnet.Store;
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class ScanCommandTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(10)]
    [InlineData(1000)]
    public void Shows_every_key_once_while_nothing_changes(int count)
    {
        using InProcessServer server = new();
        for (int i = 0; i < 2000; i++)
            server.Call("SET", $"k{i}", "1");
        List<string> seen = ScanAll(server, "COUNT", $"{count}");
        Assert.Equal(2000, seen.Count);
        Assert.Equal(2000, seen.Distinct().Count());
    }

    [Fact]
    public void Keys_that_stay_are_shown_though_the_index_grows_and_shrinks_meanwhile()
    {
        using InProcessServer server = new();
        for (int i = 0; i < 500; i++)
            server.Call("SET", $"stay{i}", "1");
        HashSet<string> seen = [];
        string cursor = "0";
        int step = 0;
        do
        {
            (cursor, string[] keys) = Scan(server, cursor, "COUNT", "3");
            seen.UnionWith(keys);
            string command = step % 2000 < 1000 ? "SET" : "DEL";
            int first = step * 100 % 100_000;
            server.Client.Send([
                .. Enumerable.Range(first, 100).SelectMany(number => InProcessClient.Request(command, $"go{number}", "1")),
            ]);
            server.Client.Receive();
            step++;
        } while (cursor != "0" && step < 100_000);
        Assert.Equal("0", cursor);
        Assert.Equal(500, seen.Count(key => key.StartsWith("stay", StringComparison.Ordinal)));
    }

    [Fact]
    public void Few_keys_among_many_of_other_databases_are_found()
    {
        using InProcessServer server = new();
        for (int i = 0; i < 20_000; i++)
            server.Call("SET", $"k{i}", "1");
        server.Call("SELECT", "1");
        Assert.Equal("*2\r\n$1\r\n0\r\n*0\r\n", server.Call("SCAN", "0"));
        server.Call("SET", "a", "1");
        Assert.Equal(["a"], ScanAll(server));
    }

    [Fact]
    public void Patterns_and_types_filter()
    {
        using InProcessServer server = new();
        for (int i = 0; i < 100; i++)
            server.Call("SET", $"k{i}", "1");
        Records.Set(server.Store, "list", RecordType.List, [1]);
        Assert.Equal(10, ScanAll(server, "MATCH", "k1?").Count);
        Assert.Equal(101, ScanAll(server, "MATCH", "*").Count);
        Assert.Equal(["list"], ScanAll(server, "TYPE", "LIST"));
        Assert.Equal(100, ScanAll(server, "type", "string", "COUNT", "7").Count);
        Assert.Empty(ScanAll(server, "TYPE", "zset"));
        Assert.Empty(ScanAll(server, "MATCH", "k*", "MATCH", "x*"));
    }

    [Theory]
    [InlineData("SCAN x", "-ERR invalid cursor\r\n")]
    [InlineData("SCAN -1", "-ERR invalid cursor\r\n")]
    [InlineData("SCAN 18446744073709551616", "-ERR invalid cursor\r\n")]
    [InlineData("SCAN 1x COUNT x", "-ERR invalid cursor\r\n")]
    [InlineData("SCAN 0 COUNT 0", "-ERR syntax error\r\n")]
    [InlineData("SCAN 0 COUNT x", "-ERR value is not an integer or out of range\r\n")]
    [InlineData("SCAN 0 COUNT", "-ERR syntax error\r\n")]
    [InlineData("SCAN 0 MATCH", "-ERR syntax error\r\n")]
    [InlineData("SCAN 0 TYPE", "-ERR syntax error\r\n")]
    [InlineData("SCAN 0 TYPE nosuch", "-ERR unknown type name 'nosuch'\r\n")]
    [InlineData("SCAN 0 NOVALUES", "-ERR NOVALUES option can only be used in HSCAN\r\n")]
    [InlineData("SCAN 0 NOSCORES", "-ERR NOSCORES option can only be used in ZSCAN\r\n")]
    [InlineData("SCAN 0 FOO bar", "-ERR syntax error\r\n")]
    public void Refuses_wrong_cursors_and_options(string command, string error)
    {
        using InProcessServer server = new();
        Assert.Equal(error, server.Call(command.Split(' ')));
    }

    [Theory]
    [InlineData("18446744073709551615")]
    [InlineData("9223372036854775808")]
    [InlineData("007")]
    [InlineData(" +7")]
    [InlineData("123456789")]
    public void Any_number_is_a_cursor(string cursor)
    {
        using InProcessServer server = new();
        for (int i = 0; i < 100; i++)
            server.Call("SET", $"k{i}", "1");
        Assert.StartsWith("*2\r\n$", server.Call("SCAN", cursor), StringComparison.Ordinal);
    }

    private static (string Cursor, string[] Keys) Scan(InProcessServer server, string cursor, params string[] options)
    {
        string reply = server.Call(["SCAN", cursor, .. options]);
        string next = reply.Split("\r\n")[2];
        return (next, Elements.Of(reply[reply.IndexOf('*', 1)..]));
    }

    private static List<string> ScanAll(InProcessServer server, params string[] options)
    {
        List<string> seen = [];
        string cursor = "0";
        do
        {
            (cursor, string[] keys) = Scan(server, cursor, options);
            seen.AddRange(keys);
        } while (cursor != "0");
        return seen;
    }

    [Fact]
    public void Expired_keys_that_pass_the_filters_are_removed_and_not_shown()
    {
        using InProcessServer server = new(recordEffects: true);
        server.Store.Maintenance.RemovesExpired = false;
        server.Call("SET", "stays", "1");
        server.Call("SET", "gone", "1", "PX", "1");
        server.Call("SET", "other", "1", "PX", "1");
        server.Call("RPUSH", "list", "1");
        server.Call("PEXPIRE", "list", "1");
        server.Clock.Advance(TimeSpan.FromMilliseconds(2));
        server.Effects.Take();
        Assert.Empty(ScanAll(server, "MATCH", "none*"));
        Assert.Empty(ScanAll(server, "TYPE", "hash"));
        Assert.Equal(":4\r\n", server.Call("DBSIZE"));
        Assert.Empty(ScanAll(server, "MATCH", "g*", "TYPE", "string"));
        Assert.Equal(["DEL gone"], server.Effects.Take());
        Assert.Equal(["stays"], ScanAll(server, "TYPE", "string"));
        Assert.Equal(":2\r\n", server.Call("DBSIZE"));
        Assert.Equal(["stays"], ScanAll(server));
        Assert.Equal(":1\r\n", server.Call("DBSIZE"));
        Assert.Contains("expired_keys:3\r\n", server.Call("INFO", "stats"));
    }

    [Fact]
    public void KEYS_leaves_expired_keys_where_they_are()
    {
        using InProcessServer server = new();
        server.Store.Maintenance.RemovesExpired = false;
        server.Call("SET", "gone", "1", "PX", "1");
        server.Clock.Advance(TimeSpan.FromMilliseconds(2));
        Assert.Equal("*0\r\n", server.Call("KEYS", "*"));
        Assert.Equal(":1\r\n", server.Call("DBSIZE"));
    }
}
