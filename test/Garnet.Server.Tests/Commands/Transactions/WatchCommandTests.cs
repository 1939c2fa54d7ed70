// WATCH: which changes of which keys make EXEC reply null. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Transactions;

public sealed class WatchCommandTests
{
    private const string Ran = "*1\r\n+OK\r\n";
    private const string Touched = "*-1\r\n";

    [Theory]
    [InlineData("SET a 2", Touched)]
    [InlineData("SET a 1", Touched)]
    [InlineData("DEL a", Touched)]
    [InlineData("EXPIRE a 100", Touched)]
    [InlineData("EXPIRE a -1", Touched)]
    [InlineData("RENAME a c", Touched)]
    [InlineData("RENAME b a", Touched)]
    [InlineData("COPY b a REPLACE", Touched)]
    [InlineData("MOVE a 1", Touched)]
    [InlineData("FLUSHDB", Touched)]
    [InlineData("FLUSHALL", Touched)]
    [InlineData("SWAPDB 0 1", Touched)]
    [InlineData("SWAPDB 1 2", Ran)]
    [InlineData("GET a", Ran)]
    [InlineData("SET b 2", Ran)]
    [InlineData("PERSIST a", Ran)]
    [InlineData("RENAMENX b a", Ran)]
    [InlineData("COPY a c", Ran)]
    [InlineData("COPY b a", Ran)]
    [InlineData("EXPIRE a 100 XX", Ran)]
    [InlineData("TOUCH a", Ran)]
    public void A_change_of_an_existing_key_counts(string command, string reply)
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        server.Call("SET", "b", "1");
        server.Call("WATCH", "a");
        server.Connect().Call(command.Split(' '));
        AssertExec(server, reply);
    }

    [Theory]
    [InlineData("XTRIM s MINID 2-1", Ran)]
    [InlineData("XTRIM s MINID 3-1", Touched)]
    [InlineData("XTRIM s MAXLEN 1", Touched)]
    public void Trimming_nothing_is_not_a_change(string command, string reply)
    {
        using InProcessServer server = new();
        foreach (string id in new[] { "1-1", "2-1", "3-1" })
            server.Call("XADD", "s", id, "f", "v");
        server.Call("XDEL", "s", "1-1");
        server.Call("WATCH", "s");
        server.Connect().Call(command.Split(' '));
        AssertExec(server, reply);
    }

    [Theory]
    [InlineData("XX")]
    [InlineData("XX INCR")]
    [InlineData("XX LT CH")]
    public void A_long_member_that_ZADD_does_not_add_is_not_a_change_although_the_encoding_changes(string options)
    {
        using InProcessServer server = new();
        server.Call("ZADD", "z", "1", "a");
        server.Call("WATCH", "z");
        server.Connect().Call(["ZADD", "z", .. options.Split(' '), "1", new string('x', 70)]);
        AssertExec(server, Ran);
        Assert.Equal(Replies.Bulk("skiplist"), server.Call("OBJECT", "ENCODING", "z"));
    }

    [Theory]
    [InlineData("XADD s 9-9 f v", Touched)]
    [InlineData("XDEL s 1-1", Touched)]
    [InlineData("XDEL s 7-7", Ran)]
    [InlineData("XTRIM s MAXLEN 1", Touched)]
    [InlineData("XTRIM s MAXLEN 9", Ran)]
    [InlineData("XREADGROUP GROUP g c STREAMS s >", Ran)]
    [InlineData("XREADGROUP GROUP g c NOACK STREAMS s >", Ran)]
    [InlineData("XREADGROUP GROUP g old STREAMS s 0", Ran)]
    [InlineData("XACK s g 1-1", Ran)]
    [InlineData("XCLAIM s g c 0 1-1", Ran)]
    [InlineData("XCLAIM s g c 0 2-1 FORCE", Ran)]
    [InlineData("XAUTOCLAIM s g c 0 0", Ran)]
    [InlineData("XSETID s 9-9", Ran)]
    [InlineData("XGROUP CREATE s new 0", Ran)]
    [InlineData("XGROUP CREATE none new 0 MKSTREAM", Touched)]
    [InlineData("XGROUP SETID s g 0", Ran)]
    [InlineData("XGROUP CREATECONSUMER s g new", Ran)]
    [InlineData("XGROUP DELCONSUMER s g old", Ran)]
    [InlineData("XGROUP DESTROY s g", Ran)]
    [InlineData("DEL s", Touched)]
    [InlineData("COPY other s REPLACE", Touched)]
    public void Changes_of_a_streams_entries_count_but_not_of_its_groups(string command, string reply)
    {
        using InProcessServer server = new();
        foreach (string id in new[] { "1-1", "2-1", "3-1" })
            server.Call("XADD", "s", id, "f", "v");
        server.Call("XGROUP", "CREATE", "s", "g", "0");
        server.Call("XREADGROUP", "GROUP", "g", "old", "COUNT", "1", "STREAMS", "s", ">");
        server.Call("COPY", "s", "other");
        server.Call("WATCH", "s", "none");
        server.Connect().Call(command.Split(' '));
        AssertExec(server, reply);
    }

    [Theory]
    [InlineData("SET a 1", Touched)]
    [InlineData("RENAME b a", Touched)]
    [InlineData("DEL a", Ran)]
    [InlineData("FLUSHALL", Ran)]
    [InlineData("SWAPDB 0 1", Ran)]
    [InlineData("SWAPDB 0 2", Touched)]
    public void Creating_a_missing_key_counts(string command, string reply)
    {
        using InProcessServer server = new();
        InProcessClient other = server.Connect();
        other.Call("SET", "b", "1");
        other.Call("SELECT", "2");
        other.Call("SET", "a", "1");
        other.Call("SELECT", "0");
        server.Call("WATCH", "a");
        other.Call(command.Split(' '));
        AssertExec(server, reply);
    }

    [Fact]
    public void A_clients_own_changes_count_before_MULTI_but_not_inside()
    {
        using InProcessServer server = new();
        server.Call("WATCH", "a");
        server.Call("SET", "a", "1");
        AssertExec(server, Touched);
        server.Call("WATCH", "a");
        server.Call("MULTI");
        server.Call("SET", "a", "2");
        server.Call("SET", "a", "3");
        Assert.Equal("*2\r\n+OK\r\n+OK\r\n", server.Call("EXEC"));
    }

    [Fact]
    public void A_key_that_expires_meanwhile_counts()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        server.Call("PEXPIRE", "a", "10");
        server.Call("WATCH", "a");
        server.Clock.Advance(TimeSpan.FromMilliseconds(10));
        AssertExec(server, Ran);
        server.Call("SET", "a", "1");
        server.Call("PEXPIRE", "a", "10");
        server.Call("WATCH", "a");
        server.Clock.Advance(TimeSpan.FromMilliseconds(11));
        AssertExec(server, Touched);
    }

    [Fact]
    public void A_key_that_had_expired_before_does_not_count_until_it_is_set()
    {
        using InProcessServer server = new();
        InProcessClient other = server.Connect();
        server.Call("SET", "a", "1");
        server.Call("PEXPIRE", "a", "10");
        server.Clock.Advance(TimeSpan.FromMilliseconds(11));
        server.Call("WATCH", "a");
        other.Call("DEL", "a");
        AssertExec(server, Ran);

        server.Call("SET", "a", "1");
        server.Call("PEXPIRE", "a", "10");
        server.Clock.Advance(TimeSpan.FromMilliseconds(11));
        server.Call("WATCH", "a");
        other.Call("SET", "a", "2");
        AssertExec(server, Touched);
    }

    // If the result is empty, the destination is removed, but for the watcher it had already expired.
    [Theory]
    [InlineData("SINTERSTORE a none other")]
    [InlineData("SUNIONSTORE a none")]
    [InlineData("SDIFFSTORE a none")]
    [InlineData("ZUNIONSTORE a 1 none")]
    [InlineData("ZINTERSTORE a 1 none")]
    [InlineData("ZDIFFSTORE a 1 none")]
    [InlineData("ZRANGESTORE a none 0 -1")]
    [InlineData("GEOSEARCHSTORE a none FROMLONLAT 1 1 BYRADIUS 1 km")]
    [InlineData("GEORADIUS none 1 1 1 km STORE a")]
    [InlineData("SORT none STORE a")]
    [InlineData("BITOP AND a none")]
    public void Removing_a_key_that_had_expired_before_by_storing_nothing_does_not_count(string command)
    {
        using InProcessServer server = new();
        server.Store.Maintenance.RemovesExpired = false;
        InProcessClient other = server.Connect();
        server.Call("RPUSH", "a", "1");
        server.Call("PEXPIRE", "a", "10");
        server.Clock.Advance(TimeSpan.FromMilliseconds(11));
        server.Call("WATCH", "a");
        Assert.Equal(":0\r\n", other.Call(command.Split(' ')));
        AssertExec(server, Ran);

        server.Call("WATCH", "a");
        other.Call("RPUSH", "a", "1");
        other.Call(command.Split(' '));
        AssertExec(server, Touched);
    }

    [Fact]
    public void The_same_key_of_another_database_is_another_key()
    {
        using InProcessServer server = new();
        InProcessClient other = server.Connect();
        other.Call("SELECT", "1");
        server.Call("WATCH", "a");
        other.Call("SET", "a", "1");
        AssertExec(server, Ran);
        server.Call("SELECT", "1");
        server.Call("WATCH", "a");
        server.Call("SELECT", "0");
        server.Call("WATCH", "a");
        other.Call("SET", "a", "2");
        AssertExec(server, Touched);
    }

    [Fact]
    public void Watched_keys_count_as_memory_of_the_client()
    {
        using InProcessServer server = new();
        InProcessClient client = server.Connect();
        long before = client.Session.MemoryBytes;
        client.Call(["WATCH", .. Enumerable.Range(0, 1000).Select(static i => $"key{i}")]);
        Assert.InRange(client.Session.MemoryBytes - before, 100_000, 400_000);
        client.Call("UNWATCH");
        Assert.Equal(before, client.Session.MemoryBytes);
    }

    [Fact]
    public void One_of_many_keys_is_enough_and_every_EXEC_unwatches_them()
    {
        using InProcessServer server = new();
        InProcessClient other = server.Connect();
        string[] keys = [.. Enumerable.Range(0, 5000).Select(i => $"key{i}")];
        Assert.Equal("+OK\r\n", server.Call(["WATCH", .. keys]));
        Assert.Equal("+OK\r\n", server.Call(["WATCH", .. keys]));
        other.Call("SET", "key4999", "1");
        AssertExec(server, Touched);
        other.Call("SET", "key1", "1");
        AssertExec(server, Ran);
    }

    [Fact]
    public void Others_that_watch_the_same_key_keep_their_watch()
    {
        using InProcessServer server = new();
        InProcessClient second = server.Connect();
        using (InProcessClient third = new(server.Server, 2))
            third.Call("WATCH", "a");
        server.Call("WATCH", "a");
        second.Call("WATCH", "a");
        server.Call("UNWATCH");
        server.Connect().Call("SET", "a", "1");
        AssertExec(server, Ran);
        second.Call("MULTI");
        Assert.Equal(Touched, second.Call("EXEC"));
    }

    [Fact]
    public void A_refused_command_outweighs_a_touched_key()
    {
        using InProcessServer server = new();
        server.Call("WATCH", "a");
        server.Call("SET", "a", "1");
        server.Call("MULTI");
        server.Call("NOSUCH");
        Assert.Equal("-EXECABORT Transaction discarded because of previous errors.\r\n", server.Call("EXEC"));
    }

    [Fact]
    public void Watched_keys_are_unwatched_inside_a_transaction_that_does_not_touch_them()
    {
        using InProcessServer server = new();
        server.Call("WATCH", "w1", "w2");
        server.Call("MULTI");
        server.Call("SET", "a", "1");
        server.Call("UNWATCH");
        Assert.Equal("*2\r\n+OK\r\n+OK\r\n", server.Call("EXEC"));
    }

    private static void AssertExec(InProcessServer server, string reply)
    {
        server.Call("MULTI");
        server.Call("SELECT", "0");
        Assert.Equal(reply, server.Call("EXEC"));
    }
}
