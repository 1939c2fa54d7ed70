// COPY. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class CopyCommandTests
{
    [Fact]
    public void Copies_value_and_expiry()
    {
        using InProcessServer server = new(recordEffects: true);
        server.Call("SET", "a", "1");
        server.Call("PEXPIRE", "a", "1000");
        server.Effects.Take();
        Assert.Equal(":1\r\n", server.Call("COPY", "a", "b"));
        Assert.Equal(["COPY a b"], server.Effects.Take());
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "b"));
        Assert.Equal(":1000\r\n", server.Call("PTTL", "b"));
        Assert.Equal(":1\r\n", server.Call("EXISTS", "a"));
    }

    [Fact]
    public void Replaces_only_when_asked()
    {
        using InProcessServer server = new();
        Assert.Equal(":0\r\n", server.Call("COPY", "a", "b"));
        server.Call("SET", "a", "1");
        server.Call("SET", "b", "2");
        Assert.Equal(":0\r\n", server.Call("COPY", "a", "b"));
        Assert.Equal("$1\r\n2\r\n", server.Call("GET", "b"));
        Assert.Equal(":1\r\n", server.Call("COPY", "a", "b", "replace"));
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "b"));
    }

    [Theory]
    [InlineData("COPY a b REPLACE")]
    [InlineData("RENAME a b")]
    public void A_replaced_key_loses_its_access_statistics(string command)
    {
        using InProcessServer server = new(static options =>
            (options.MaxMemoryPolicy, options.LfuLogFactor) = (EvictionPolicy.AllKeysLfu, 0)
        );
        server.Call("SET", "a", "1");
        server.Call("SET", "b", "2");
        for (int i = 0; i < 5; i++)
            server.Call("MGET", "a", "b");
        server.Call(command.Split(' '));
        Assert.Equal(":5\r\n", server.Call("OBJECT", "FREQ", "b"));
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "b"));
    }

    [Fact]
    public void Copies_into_another_database()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        Assert.Equal(":1\r\n", server.Call("COPY", "a", "a", "DB", "1"));
        Assert.Equal(":0\r\n", server.Call("COPY", "a", "a", "db", "1"));
        Assert.Equal(":1\r\n", server.Call("COPY", "a", "a", "REPLACE", "DB", "2", "DB", "1"));
        server.Call("SELECT", "2");
        Assert.Equal(":0\r\n", server.Call("EXISTS", "a"));
        server.Call("SELECT", "1");
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "a"));
    }

    [Theory]
    [InlineData("COPY a a", "-ERR source and destination objects are the same\r\n")]
    [InlineData("COPY a a DB 0", "-ERR source and destination objects are the same\r\n")]
    [InlineData("COPY a b DB 16", "-ERR DB index is out of range\r\n")]
    [InlineData("COPY a b DB x", "-ERR value is not an integer or out of range\r\n")]
    [InlineData("COPY a b DB", "-ERR syntax error\r\n")]
    [InlineData("COPY a a FOO", "-ERR syntax error\r\n")]
    public void Refuses_wrong_options_before_it_looks_for_the_key(string command, string error)
    {
        using InProcessServer server = new();
        Assert.Equal(error, server.Call(command.Split(' ')));
    }

    [Fact]
    public void Changing_one_of_two_large_copies_leaves_the_other()
    {
        using InProcessServer server = new();
        string value = new('x', 100_000);
        server.Call("SET", "a", value);
        Assert.Equal(":1\r\n", server.Call("COPY", "a", "b"));
        server.Call("SETRANGE", "a", "0", "changed");
        server.Call("APPEND", "b", "!");
        Assert.Equal($"$100000\r\nchanged{value[7..]}\r\n", server.Call("GET", "a"));
        Assert.Equal($"$100001\r\n{value}!\r\n", server.Call("GET", "b"));
        server.Call("DEL", "a");
        Assert.Equal($"$100001\r\n{value}!\r\n", server.Call("GET", "b"));
    }

    [Theory]
    [InlineData("-2")]
    [InlineData("7")]
    public void A_copy_of_a_list_has_the_same_nodes(string listMaxListPackSize)
    {
        using InProcessServer server = new(static options => options.EnableDebugCommand = CommandAccess.Yes);
        server.Call("CONFIG", "SET", "list-max-listpack-size", listMaxListPackSize);
        for (int i = 0; i < 600; i++)
            server.Call("RPUSH", "a", new string((char)('a' + (i % 26)), i % 50 == 7 ? 9000 : i % 70));
        for (int i = 0; i < 40; i++)
        {
            server.Call("LSET", "a", $"{i * 7}", $"{i}");
            server.Call("LREM", "a", "1", $"{i / 2}");
        }

        server.Call("LTRIM", "a", "20", "-10");
        string dump = server.Call("DUMP", "a");
        Assert.Equal(":1\r\n", server.Call("COPY", "a", "b"));
        Assert.Equal(dump, server.Call("DUMP", "b"));
        Assert.Equal(NodesOf(server, "a"), NodesOf(server, "b"));
        string nodes = NodesOf(server, "b");
        server.Call("LPUSH", "a", "first");
        server.Call("LINSERT", "a", "BEFORE", "39", "middle");
        server.Call("LTRIM", "a", "3", "400");
        Assert.NotEqual(dump, server.Call("DUMP", "a"));
        Assert.Equal(dump, server.Call("DUMP", "b"));
        server.Call("DEL", "a");
        Assert.Equal(dump, server.Call("DUMP", "b"));
        Assert.Equal(nodes, NodesOf(server, "b"));
        server.Call("RPUSH", "b", "last");
        Assert.NotEqual(dump, server.Call("DUMP", "b"));
    }

    private static string NodesOf(InProcessServer server, string key)
    {
        string text = server.Call("DEBUG", "OBJECT", key);
        Assert.Contains("encoding:quicklist", text, StringComparison.Ordinal);
        return text[text.IndexOf("ql_nodes", StringComparison.Ordinal)..];
    }

    [Fact]
    public void Fields_that_have_expired_are_left_out()
    {
        using InProcessServer server = new();
        server.Call("HSETEX", "a", "PX", "10", "FIELDS", "2", "gone", "1", "old", "2");
        server.Call("HSET", "a", "stays", "3");
        server.Call("HSETEX", "b", "PX", "10", "FIELDS", "1", "gone", "1");
        server.Clock.Advance(TimeSpan.FromMilliseconds(11));
        Assert.Equal(":3\r\n", server.Call("HLEN", "a"));
        Assert.Equal(":1\r\n", server.Call("COPY", "a", "copy"));
        Assert.Equal(":1\r\n", server.Call("HLEN", "copy"));
        Assert.Equal("$1\r\n3\r\n", server.Call("HGET", "copy", "stays"));
    }

    // As in Valkey 9.1.2, where it stays until it is written to or deleted.
    [Fact]
    public void A_hash_whose_fields_have_all_expired_is_copied_as_a_hash_without_fields()
    {
        using InProcessServer server = new();
        server.Call("HSETEX", "a", "PX", "10", "FIELDS", "1", "gone", "1");
        server.Call("EXPIRE", "a", "100");
        server.Clock.Advance(TimeSpan.FromMilliseconds(11));
        Assert.Equal(":1\r\n", server.Call("COPY", "a", "copy"));
        Assert.Equal(":1\r\n", server.Call("COPY", "copy", "again"));
        Assert.Equal("+hash\r\n", server.Call("TYPE", "again"));
        Assert.Equal(":100\r\n", server.Call("TTL", "again"));
        Assert.Equal("$9\r\nhashtable\r\n", server.Call("OBJECT", "ENCODING", "again"));
        foreach (
            (string command, string reply) in (IEnumerable<(string, string)>)
                [("HLEN", ":0\r\n"), ("HGETALL", "*0\r\n"), ("HKEYS", "*0\r\n"), ("HRANDFIELD", "$-1\r\n")]
        )
        {
            Assert.Equal(reply, server.Call(command, "again"));
        }

        Assert.Equal("*2\r\n$1\r\n0\r\n*0\r\n", server.Call("HSCAN", "again", "0"));
        Assert.Equal("*0\r\n", server.Call("HRANDFIELD", "again", "-3"));
        Assert.Equal(":0\r\n", server.Call("HDEL", "again", "x"));
        Assert.Equal(":1\r\n", server.Call("EXISTS", "again"));
        Assert.Equal("+OK\r\n", server.Call("RENAME", "again", "moved"));
        Assert.Equal(":1\r\n", server.Call("HSET", "moved", "x", "y"));
        Assert.Equal(":1\r\n", server.Call("HDEL", "moved", "x"));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "moved"));
    }

    [Fact]
    public void Exhausted_memory_refuses_it()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        server.Store.Budget.MaxBytes = 1;
        Assert.StartsWith("-OOM", server.Call("COPY", "a", "b"), StringComparison.Ordinal);
    }
}
