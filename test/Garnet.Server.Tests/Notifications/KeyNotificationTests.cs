// When events of keys are published, and to whom; which events there are is compared with Valkey in the end-to-end tests.
using Garnet.Server.Tests.Commands;
using Garnet.Store;
using Garnet.Store.Eviction;
using Xunit;

namespace Garnet.Server.Tests.Notifications;

public sealed class KeyNotificationTests : IDisposable
{
    private readonly InProcessServer _server = new(static options => options.NotifyKeyspaceEvents = "KEA");
    private readonly InProcessOwner _thread = new(0);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void The_option_is_shown_and_set_as_in_Valkey()
    {
        Assert.Equal(Replies.Bulks("notify-keyspace-events", "AKE"), _server.Call("CONFIG", "GET", "notify-keyspace-events"));
        Assert.Equal(Replies.Ok, _server.Call("CONFIG", "SET", "notify-keyspace-events", "Kn$"));
        Assert.Equal(Replies.Bulks("notify-keyspace-events", "$nK"), _server.Call("CONFIG", "GET", "notify-keyspace-events"));
        Assert.StartsWith("-ERR CONFIG SET failed", _server.Call("CONFIG", "SET", "notify-keyspace-events", "?"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(2, "*")]
    [InlineData(3, ">")]
    public void Both_channels_tell_in_both_protocols(int protocol, string head)
    {
        InProcessClient client = Subscribe(protocol, "PSUBSCRIBE", "*");
        _server.Call("SELECT", "3");
        _server.Call("SET", "key", "value");
        string four = head + "4\r\n" + Replies.Bulk("pmessage") + Replies.Bulk("*");
        Assert.Equal(
            four
                + Replies.Bulk("__keyspace@3__:key")
                + Replies.Bulk("set")
                + four
                + Replies.Bulk("__keyevent@3__:set")
                + Replies.Bulk("key"),
            Received(client)
        );
    }

    [Theory]
    [InlineData("")]
    [InlineData("KE")]
    [InlineData("A")]
    [InlineData("KEl")]
    public void Nothing_is_told_of_what_is_not_selected(string classes)
    {
        InProcessClient client = Subscribe(3, "PSUBSCRIBE", "*");
        _server.Call("CONFIG", "SET", "notify-keyspace-events", classes);
        _server.Call("SET", "key", "value");
        Assert.Equal("", Received(client));
        Assert.Equal(classes == "KEl" ? 1 : 0, _server.Store.Changes.Observers.Length);
    }

    [Fact]
    public void A_client_gets_its_reply_before_the_events_that_it_caused()
    {
        InProcessClient client = Subscribe(3, "SUBSCRIBE", "__keyspace@0__:key");
        Assert.Equal(Replies.Ok + Event("key", "set"), client.Call("SET", "key", "value"));
        client.Send([
            .. InProcessClient.Request("INCR", "key"),
            .. InProcessClient.Request("DEL", "key"),
            .. InProcessClient.Request("PING"),
        ]);
        Assert.Equal(
            "-ERR value is not an integer or out of range\r\n" + Replies.Integer(1) + Event("key", "del") + "+PONG\r\n",
            client.Receive()
        );
    }

    [Fact]
    public void The_events_of_a_transaction_follow_its_replies_in_the_order_of_its_commands()
    {
        InProcessClient client = Subscribe(3, "SUBSCRIBE", "__keyspace@0__:key", "__keyspace@0__:list");
        client.Call("MULTI");
        client.Call("RPUSH", "list", "x");
        client.Call("SET", "key", "value", "EX", "10");
        client.Call("PUBLISH", "__keyspace@0__:key", "between");
        client.Call("LPOP", "list");
        Assert.Equal(
            Replies.Array(Replies.Integer(1), Replies.Ok, Replies.Integer(1), Replies.Bulk("x"))
                + Event("list", "rpush")
                + Event("key", "set")
                + Event("key", "expire")
                + Event("key", "between")
                + Event("list", "lpop")
                + Event("list", "del"),
            client.Call("EXEC")
        );
    }

    [Fact]
    public void The_option_may_change_within_a_transaction()
    {
        InProcessClient client = Subscribe(3, "SUBSCRIBE", "__keyspace@0__:key");
        client.Call("MULTI");
        client.Call("SET", "key", "1");
        client.Call("CONFIG", "SET", "notify-keyspace-events", "");
        client.Call("SET", "key", "2");
        client.Call("CONFIG", "SET", "notify-keyspace-events", "KA");
        client.Call("APPEND", "key", "3");
        string received = client.Call("EXEC");
        Assert.EndsWith(Event("key", "set") + Event("key", "append"), received, StringComparison.Ordinal);
        Assert.DoesNotContain(Event("key", "set") + Event("key", "set"), received, StringComparison.Ordinal);
    }

    [Fact]
    public void A_key_that_expires_is_told_of_by_whoever_finds_it()
    {
        InProcessClient client = Subscribe(3, "SUBSCRIBE", "__keyevent@0__:expired");
        _server.Call("SET", "found", "value", "PX", "10");
        _server.Call("SET", "forgotten", "value", "PX", "10");
        _server.Clock.Advance(TimeSpan.FromMilliseconds(11));
        _server.Call("APPEND", "found", "more");
        Assert.Equal(Message("__keyevent@0__:expired", "found"), Received(client));
        _server.Clock.Advance(TimeSpan.FromSeconds(10));
        Maintain();
        Assert.Equal(Message("__keyevent@0__:expired", "forgotten"), Received(client));
    }

    [Fact]
    public void Fields_that_expire_are_told_of_by_maintenance()
    {
        InProcessClient client = Subscribe(3, "PSUBSCRIBE", "__keyspace@0__:*");
        _server.Call("HSET", "some", "a", "1", "b", "2", "c", "3");
        _server.Call("HSET", "all", "a", "1", "b", "2");
        _server.Call("HPEXPIRE", "some", "10", "FIELDS", "2", "a", "b");
        _server.Call("HPEXPIRE", "all", "10", "FIELDS", "2", "a", "b");
        Received(client);
        _server.Clock.Advance(TimeSpan.FromSeconds(10));
        Maintain();
        string received = Received(client);
        Assert.Equal([("all", "hexpired"), ("all", "del")], Events(received, "all"));
        Assert.Equal([("some", "hexpired")], Events(received, "some"));
    }

    [Fact]
    public void A_key_that_is_evicted_is_told_of()
    {
        using InProcessServer server = new(static options =>
            (options.MaxMemoryBytes, options.MaxMemoryPolicy, options.NotifyKeyspaceEvents) = (32 << 20, EvictionPolicy.AllKeysRandom, "Ee")
        );
        InProcessClient client = server.Connect(3, new InProcessConnection { Owner = _thread });
        client.Call("SUBSCRIBE", "__keyevent@0__:evicted");
        int told = 0;
        for (int i = 0; i < 40_000; i++)
        {
            server.Call("SET", "key" + i, new string('v', 1000));
            _thread.RunRound();
            told += Count(client.Receive(), "evicted");
        }

        string stats = server.Call("INFO", "stats");
        Assert.Contains($"evicted_keys:{told}\r\n", stats, StringComparison.Ordinal);
        Assert.True(told > 1000);
    }

    [Fact]
    public void Missed_and_new_keys_are_told_of_on_request()
    {
        _server.Call("CONFIG", "SET", "notify-keyspace-events", "KAmn");
        InProcessClient client = Subscribe(3, "SUBSCRIBE", "__keyspace@0__:key");
        _server.Call("GET", "key");
        _server.Call("SET", "key", "value");
        _server.Call("SET", "key", "value");
        Assert.Equal(Event("key", "keymiss") + Event("key", "new") + Event("key", "set") + Event("key", "set"), Received(client));
    }

    [Fact]
    public void What_a_waiting_client_takes_is_told_after_what_was_given_to_it()
    {
        InProcessClient client = Subscribe(3, "SUBSCRIBE", "__keyspace@0__:list");
        InProcessClient waiting = _server.Connect(3, new InProcessConnection { Owner = _thread });
        Assert.Equal("", waiting.Call("BLPOP", "list", "0"));
        Assert.Equal(Replies.Integer(1), _server.Call("RPUSH", "list", "x"));
        Assert.Equal(Event("list", "rpush") + Event("list", "lpop") + Event("list", "del"), Received(client));
        _thread.RunRound();
        Assert.Equal(Replies.Bulks("list", "x"), waiting.Receive());
    }

    [Fact]
    public void A_waiting_client_gets_its_reply_before_the_events_that_it_caused()
    {
        InProcessClient waiting = Subscribe(3, "SUBSCRIBE", "__keyevent@0__:lpop");
        Assert.Equal("", waiting.Call("BLPOP", "list", "0"));
        Assert.Equal(Replies.Integer(1), _server.Call("RPUSH", "list", "x"));
        // A subscription delivers what waits on the thread, before the thread comes to the reply.
        Subscribe(3, "SUBSCRIBE", "another");
        for (int round = 0; round < 3; round++)
            _thread.RunRound();
        Assert.Equal(Replies.Bulks("list", "x") + Message("__keyevent@0__:lpop", "list"), waiting.Receive());
        Assert.Equal("+PONG\r\n", waiting.Call("PING"));
    }

    [Fact]
    public void A_restricted_user_receives_the_events_of_its_channels_only()
    {
        _server.Call("ACL", "SETUSER", "reader", "on", "nopass", "+@all", "~*", "resetchannels", "&__keyspace@0__:app:*");
        InProcessClient client = _server.Connect(3, new InProcessConnection { Owner = _thread });
        client.Call("AUTH", "reader", "any");
        Assert.StartsWith("-NOPERM", client.Call("PSUBSCRIBE", "__key*__:*"), StringComparison.Ordinal);
        Assert.StartsWith("-NOPERM", client.Call("SUBSCRIBE", "__keyspace@0__:other"), StringComparison.Ordinal);
        client.Call("PSUBSCRIBE", "__keyspace@0__:app:*");
        _server.Call("MSET", "app:1", "x", "other", "y");
        string received = Received(client);
        Assert.Contains("app:1", received, StringComparison.Ordinal);
        Assert.DoesNotContain("other", received, StringComparison.Ordinal);
    }

    [Fact]
    public void A_command_that_throws_tells_nothing_and_disturbs_no_other()
    {
        InProcessClient client = Subscribe(3, "SUBSCRIBE", "__keyspace@0__:key");
        FailingSink sink = new() { Fails = true };
        _server.Store.Changes.Sink = sink;
        Assert.Equal("", _server.Connect().Call("SET", "key", "value"));
        sink.Fails = false;
        Assert.Equal("", Received(client));
        _server.Call("APPEND", "key", "value");
        Assert.Equal(Event("key", "append"), Received(client));
    }

    [Fact]
    public void Events_without_subscribers_allocate_nothing() => Allocations.AssertNone(_server, "SET key value");

    private static string Event(string key, string name) => Message("__keyspace@0__:" + key, name);

    private static string Message(string channel, string payload) =>
        ">3\r\n" + Replies.Bulk("message") + Replies.Bulk(channel) + Replies.Bulk(payload);

    private InProcessClient Subscribe(int protocol, params string[] command)
    {
        InProcessClient client = _server.Connect(protocol, new InProcessConnection { Owner = _thread });
        client.Call(command);
        return client;
    }

    private string Received(InProcessClient client)
    {
        _thread.RunRound();
        return client.Receive();
    }

    private void Maintain()
    {
        while (_server.Store.Maintenance.Run()) { }
    }

    private static List<(string, string)> Events(string received, string key)
    {
        string[] lines = received.Split("\r\n");
        return [.. Enumerable.Range(0, lines.Length).Where(i => lines[i] == "__keyspace@0__:" + key).Select(i => (key, lines[i + 2]))];
    }

    private static int Count(string text, string word) =>
        (text.Length - text.Replace(word, "", StringComparison.Ordinal).Length) / word.Length;

    private sealed class FailingSink : IWriteSink
    {
        public bool Fails { get; set; }

        public void Append(int database, ReadOnlySpan<byte> effect)
        {
            if (Fails)
                throw new IOException("No effect can be taken.");
        }
    }
}
