// Clients blocked on keys: who is served, in which order, and what happens to clients that disconnect. Each test has its own server.
using Garnet.Server.Tests.Commands;
using Xunit;

namespace Garnet.Server.Tests.Blocking;

public sealed class BlockedClientsTests
{
    private static string Popped(string key, string element) => Replies.Bulks(key, element);

    [Fact]
    public void Waiting_clients_are_served_in_order_of_arrival()
    {
        using InProcessServer server = new();
        InProcessClient[] waiters = [.. Enumerable.Range(0, 20).Select(_ => server.Connect())];
        foreach (InProcessClient waiter in waiters)
            Assert.Equal("", waiter.Call("BLPOP", "k", "0"));
        Assert.Equal(":12\r\n", server.Call(["RPUSH", "k", .. Enumerable.Range(0, 12).Select(i => $"{i}")]));
        Assert.Equal(":8\r\n", server.Call(["RPUSH", "k", .. Enumerable.Range(12, 8).Select(i => $"{i}")]));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "k"));
        for (int i = 0; i < waiters.Length; i++)
            Assert.Equal(Popped("k", $"{i}"), Later.Receive(waiters[i]));
    }

    [Fact]
    public void The_pusher_no_longer_sees_delivered_elements()
    {
        using InProcessServer server = new();
        InProcessClient waiter = server.Connect();
        waiter.Call("BRPOP", "k", "0");
        server.Client.Send([.. InProcessClient.Request("LPUSH", "k", "a", "b"), .. InProcessClient.Request("LRANGE", "k", "0", "-1")]);
        Assert.Equal(":2\r\n" + Replies.Bulks("b"), server.Client.Receive());
        Assert.Equal(Popped("k", "a"), Later.Receive(waiter));
    }

    [Fact]
    public void A_transaction_serves_only_what_it_leaves()
    {
        using InProcessServer server = new();
        InProcessClient waiter = server.Connect();
        waiter.Call("BLPOP", "k", "0");
        server.Call("MULTI");
        server.Call("LPUSH", "k", "a");
        server.Call("DEL", "k");
        server.Call("EXEC");
        Assert.Equal("", waiter.Receive());
        server.Call("MULTI");
        server.Call("LPUSH", "k", "a");
        server.Call("LPUSH", "k", "b");
        server.Call("EXEC");
        Assert.Equal(Popped("k", "b"), Later.Receive(waiter));
    }

    [Fact]
    public void A_client_waiting_for_several_keys_is_served_by_the_key_of_its_type()
    {
        using InProcessServer server = new();
        InProcessClient[] waiters = [server.Connect(), server.Connect(), server.Connect()];
        waiters[0].Call("BLPOP", "k", "j", "0");
        waiters[1].Call("BZPOPMIN", "k", "0");
        server.Call("MULTI");
        server.Call("ZADD", "k", "1", "m");
        server.Call("RPUSH", "j", "a");
        server.Call("EXEC");
        Assert.Equal(Replies.Bulks("k", "m", "1"), Later.Receive(waiters[1]));
        Assert.Equal(Popped("j", "a"), Later.ReceiveUntilReady(waiters[0]));
        waiters[0].Call("BLPOP", "k", "0");
        waiters[2].Call("BLPOP", "j", "k", "0");
        server.Call("MULTI");
        server.Call("RPUSH", "j", "b");
        server.Call("LMOVE", "j", "k", "LEFT", "LEFT");
        server.Call("EXEC");
        Assert.Equal(Popped("k", "b"), Later.Receive(waiters[0]));
        Assert.Equal("", waiters[2].Receive());
    }

    [Theory]
    [InlineData("RENAME other k")]
    [InlineData("COPY other k")]
    [InlineData("LMOVE other k LEFT LEFT")]
    [InlineData("SWAPDB 0 1")]
    public void Every_way_to_create_a_list_serves_waiting_clients(string command)
    {
        using InProcessServer server = new();
        InProcessClient waiter = server.Connect();
        server.Call("RPUSH", "other", "a");
        server.Call("SELECT", "1");
        server.Call("RPUSH", "k", "a");
        server.Call("SELECT", "0");
        waiter.Call("BLPOP", "k", "0");
        server.Call(command.Split(' '));
        Assert.Equal(Popped("k", "a"), Later.Receive(waiter));
    }

    [Fact]
    public void A_key_of_another_type_wakes_no_client_until_it_becomes_a_list()
    {
        using InProcessServer server = new();
        InProcessClient waiter = server.Connect();
        waiter.Call("BLPOP", "k", "0");
        server.Call("SET", "k", "x");
        server.Call("DEL", "k");
        server.Call("RPUSH", "k", "a");
        Assert.Equal(Popped("k", "a"), Later.Receive(waiter));
    }

    [Fact]
    public void A_wrong_key_before_the_one_that_is_ready_is_an_error()
    {
        using InProcessServer server = new();
        InProcessClient waiter = server.Connect();
        waiter.Call("BLPOP", "a", "b", "0");
        server.Call("SET", "a", "x");
        server.Call("RPUSH", "b", "1");
        Assert.Equal(Replies.WrongType, Later.Receive(waiter));
        Assert.Equal(":1\r\n", server.Call("LLEN", "b"));
    }

    [Theory]
    [InlineData("BLPOP k 0", "SET k v", "BRPOP k 0")]
    [InlineData("BLPOP k 0", "ZADD k 1 m", "BLMOVE k l LEFT LEFT 0")]
    [InlineData("BZPOPMIN k 0", "RPUSH k e", "BZPOPMAX none k 0")]
    [InlineData("BLMPOP 0 2 k l LEFT", "SADD k m", "BLMPOP 0 2 none k LEFT")]
    public void A_wrong_key_is_an_error_even_for_later_waiting_clients(string waits, string write, string comes)
    {
        using InProcessServer server = new();
        InProcessClient waiter = server.Connect();
        InProcessClient second = server.Connect();
        Assert.Equal("", waiter.Call(waits.Split(' ')));
        server.Call(write.Split(' '));
        Assert.Equal(Replies.WrongType, Answer(second, comes.Split(' ')));
        Assert.Equal("", waiter.Receive());
    }

    [Fact]
    public void A_key_that_becomes_wrong_does_not_wake_clients_behind_others()
    {
        using InProcessServer server = new();
        InProcessClient waiter = server.Connect();
        InProcessClient second = server.Connect();
        waiter.Call("BLPOP", "k", "0");
        second.Call("BLPOP", "k", "0");
        server.Call("SET", "k", "x");
        server.Call("DEL", "k");
        server.Call("RPUSH", "k", "a", "b");
        Assert.Equal(Popped("k", "a"), Later.Receive(waiter));
        Assert.Equal(Popped("k", "b"), Later.Receive(second));
    }

    [Fact]
    public void Clients_waiting_for_another_type_do_not_block_others()
    {
        using InProcessServer server = new();
        InProcessClient waiter = server.Connect();
        InProcessClient second = server.Connect();
        waiter.Call("BLPOP", "k", "0");
        server.Call("ZADD", "k", "1", "m");
        Assert.Equal("*3\r\n$1\r\nk\r\n$1\r\nm\r\n$1\r\n1\r\n", Answer(second, "BZPOPMIN", "k", "0"));
    }

    [Fact]
    public void An_element_moved_by_a_served_client_serves_the_next()
    {
        using InProcessServer server = new();
        InProcessClient first = server.Connect();
        InProcessClient second = server.Connect();
        InProcessClient third = server.Connect();
        third.Call("BLPOP", "c", "0");
        second.Call("BLMOVE", "b", "c", "LEFT", "RIGHT", "0");
        first.Call("BRPOPLPUSH", "a", "b", "0");
        server.Call("RPUSH", "a", "x");
        Assert.Equal(Replies.Bulk("x"), Later.Receive(first));
        Assert.Equal(Replies.Bulk("x"), Later.Receive(second));
        Assert.Equal(Popped("c", "x"), Later.Receive(third));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "a", "b", "c"));
    }

    [Theory]
    [InlineData("0.1", 100)]
    [InlineData("0.0011", 2)]
    [InlineData("1.5", 1500)]
    public void The_timeout_is_in_seconds(string timeout, int ms)
    {
        using InProcessServer server = new();
        Assert.Equal("", server.Call("BLPOP", "k", timeout));
        server.Clock.Advance(TimeSpan.FromMilliseconds(ms - 1));
        Assert.Equal("", server.Client.Receive());
        server.Clock.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal("*-1\r\n", Later.Receive(server.Client));
        Assert.Equal(":1\r\n", server.Connect().Call("RPUSH", "k", "a"));
        Assert.Equal(":1\r\n", server.Connect().Call("LLEN", "k"));
    }

    [Theory]
    [InlineData("TIMEOUT", "*-1\r\n")]
    [InlineData("ERROR", "-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n")]
    public void Another_client_can_end_it(string how, string reply)
    {
        using InProcessServer server = new();
        InProcessClient waiter = server.Connect();
        waiter.Call("BLMOVE", "a", "b", "LEFT", "LEFT", "0");
        Assert.Equal(":1\r\n", server.Call("CLIENT", "UNBLOCK", $"{waiter.Session.Id}", how));
        Assert.Equal(reply, Later.Receive(waiter));
        Assert.Equal(":0\r\n", server.Call("CLIENT", "UNBLOCK", $"{waiter.Session.Id}", how));
        Assert.Equal(":1\r\n", server.Call("RPUSH", "a", "x"));
        Assert.Equal(":1\r\n", server.Call("LLEN", "a"));
    }

    [Fact]
    public void Nothing_is_delivered_to_a_client_being_disconnected()
    {
        using InProcessServer server = new();
        InProcessClient gone = server.Connect();
        InProcessClient next = server.Connect();
        gone.Call("BLPOP", "k", "0");
        next.Call("BLPOP", "k", "0");
        server.Call("MULTI");
        server.Call("CLIENT", "KILL", "ID", $"{gone.Session.Id}");
        server.Call("RPUSH", "k", "a");
        server.Call("EXEC");
        Assert.Equal(Popped("k", "a"), Later.Receive(next));
    }

    [Fact]
    public void A_disconnected_client_is_in_no_queue()
    {
        using InProcessServer server = new();
        InProcessClient gone = new(server.Server, 2);
        gone.Call("BLPOP", "a", "b", "a", "0");
        Assert.Equal(2, server.Server.Blocked.KeyCount);
        gone.Dispose();
        Assert.True(gone.IsClosed);
        Assert.Equal(0, server.Server.Blocked.KeyCount);
        server.Call("RPUSH", "a", "1");
        Assert.Equal(":1\r\n", server.Call("LLEN", "a"));
    }

    [Fact]
    public void Requests_pipelined_after_it_wait_for_its_reply()
    {
        using InProcessServer server = new();
        InProcessClient waiter = server.Connect();
        waiter.Send([
            .. InProcessClient.Request("BLPOP", "k", "0"),
            .. InProcessClient.Request("SET", "x", "1"),
            .. InProcessClient.Request("BLPOP", "k", "0"),
        ]);
        Assert.Equal(":0\r\n", server.Call("EXISTS", "x"));
        server.Call("RPUSH", "k", "a", "b");
        string replies = "";
        while (replies.Length < (Popped("k", "a") + Replies.Ok + Popped("k", "b")).Length)
            replies += Later.Receive(waiter);
        Assert.Equal(Popped("k", "a") + Replies.Ok + Popped("k", "b"), replies);
    }

    [Fact]
    public void Waiting_counts_as_a_call_once_it_ends()
    {
        using InProcessServer server = new();
        InProcessClient waiter = server.Connect();
        waiter.Call("BLPOP", "k", "0");
        Assert.DoesNotContain("cmdstat_blpop", server.Call("INFO", "commandstats"));
        server.Call("RPUSH", "k", "a");
        Later.Receive(waiter);
        Assert.Contains("cmdstat_blpop:calls=1,", server.Call("INFO", "commandstats"));
    }

    [Theory]
    [InlineData("RPUSH k a", "calls=1,", "rejected_calls=0,failed_calls=0", true)]
    [InlineData("CLIENT UNBLOCK ID TIMEOUT", "calls=1,", "rejected_calls=0,failed_calls=0", true)]
    [InlineData("CLIENT UNBLOCK ID ERROR", "calls=1,", "rejected_calls=1,failed_calls=0", true)]
    [InlineData("REPLICAOF 10.0.0.1 6379", "calls=1,", "rejected_calls=1,failed_calls=0", true)]
    [InlineData("SET wrong x;RPUSH k a", "calls=1,", "rejected_calls=0,failed_calls=1", true)]
    [InlineData("ACL SETUSER u -blpop;RPUSH k a", "calls=0,", "rejected_calls=1,failed_calls=0", false)]
    public void It_counts_as_in_Valkey_however_it_ends(string end, string calls, string others, bool hasLatency)
    {
        using InProcessServer server = new();
        InProcessClient waiter = server.Connect();
        Assert.Equal(Replies.Ok, server.Call("ACL", "SETUSER", "u", "on", "nopass", "~*", "+@all"));
        Assert.Equal(Replies.Ok, waiter.Call("AUTH", "u", "any"));
        Assert.Equal("", waiter.Call("BLPOP", "wrong", "k", "0"));
        foreach (string command in end.Split(';'))
            server.Call(command.Replace("ID", $"{waiter.Session.Id}", StringComparison.Ordinal).Split(' '));
        Later.ReceiveUntilReady(waiter);
        string line = server
            .Call("INFO", "commandstats")
            .Split("\r\n")
            .Single(each => each.StartsWith("cmdstat_blpop:", StringComparison.Ordinal));
        Assert.Contains(calls, line);
        Assert.EndsWith(others, line);
        string histogram = server.Call("LATENCY", "HISTOGRAM", "blpop");
        Assert.Equal(hasLatency, histogram.StartsWith("*2\r\n$5\r\nblpop\r\n*4\r\n$5\r\ncalls\r\n:1\r\n", StringComparison.Ordinal));
    }

    [Fact]
    public void Effects_equal_those_of_non_blocking_commands()
    {
        using InProcessServer server = new(recordEffects: true);
        InProcessClient waiter = server.Connect();
        waiter.Call("BLPOP", "k", "0");
        server.Call("RPUSH", "k", "a");
        Later.Receive(waiter);
        waiter.Call("BLMOVE", "k", "l", "LEFT", "right", "0");
        server.Call("RPUSH", "k", "b");
        Later.Receive(waiter);
        waiter.Call("BLMPOP", "0", "1", "k", "RIGHT", "COUNT", "5");
        server.Call("RPUSH", "k", "c", "d");
        Later.Receive(waiter);
        Assert.Equal(["RPUSH k a", "LPOP k", "RPUSH k b", "LMOVE k l LEFT right", "RPUSH k c d", "RPOP k 2"], server.Effects.Take());
    }

    [Fact]
    public void No_element_is_lost_between_pushers_and_poppers()
    {
        const int pushers = 3;
        const int each = 1500;
        using InProcessServer server = new();
        int taken = 0;
        int pushed = 0;
        var bodies = new Action<CancellationToken>[pushers + 4];
        for (int i = 0; i < pushers; i++)
        {
            InProcessClient client = server.Connect();
            bodies[i] = _ =>
            {
                for (int n = 0; n < each; n++)
                {
                    client.Call("RPUSH", $"k{n % 3}", "x");
                    Interlocked.Increment(ref pushed);
                }
            };
        }

        for (int i = 0; i < 4; i++)
        {
            InProcessClient client = server.Connect();
            string seed = i % 2 == 0 ? "BLPOP" : "BRPOP";
            bodies[pushers + i] = stop =>
            {
                while (!stop.IsCancellationRequested && Volatile.Read(ref taken) < pushers * each)
                {
                    string reply = client.Call(seed, "k2", "k0", "k1", "0");
                    while (reply == "" && !stop.IsCancellationRequested)
                    {
                        if (Volatile.Read(ref taken) >= pushers * each)
                            return;
                        Thread.Yield();
                        reply = client.Receive();
                    }

                    if (reply.StartsWith("*2", StringComparison.Ordinal))
                        Interlocked.Increment(ref taken);
                }
            };
        }

        Threads.Run(bodies);
        Assert.Equal(pushers * each, pushed);
        Assert.Equal(pushers * each, taken);
        Assert.Equal(":0\r\n", server.Call("EXISTS", "k0", "k1", "k2"));
    }

    // The reply, either at once or when the command is resumed.
    private static string Answer(InProcessClient client, params string[] command)
    {
        string reply = client.Call(command);
        return reply.Length > 0 ? reply : Later.Receive(client);
    }
}
