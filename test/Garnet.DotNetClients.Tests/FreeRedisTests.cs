// FreeRedis: messages, scripts, locks, and its cache in the client, which tracking keeps coherent. Each test has a server of its own.
using System.Collections.Concurrent;
using FreeRedis;
using Garnet.Testing;
using Xunit;

namespace Garnet.DotNetClients.Tests;

public sealed class FreeRedisTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    [Fact]
    public void Messages_arrive_by_channel_and_by_pattern()
    {
        using var server = TestServer.Start();
        using RedisClient client = Connect(server);
        using var received = new BlockingCollection<string>();
        using (client.Subscribe("news", (channel, data) => received.Add($"{channel} {data}")))
        using (client.PSubscribe("sport.*", (channel, data) => received.Add($"{channel} {data}")))
        {
            WaitFor(() => Patterns(server) == 1 && client.PubSubNumSub("news") == 1);
            for (int i = 0; i < 100; i++)
                Assert.Equal(1, client.Publish("news", i.ToString(System.Globalization.CultureInfo.InvariantCulture)));
            Assert.Equal(1, client.Publish("sport.tennis", "ace"));
            string[] all = [.. Enumerable.Range(0, 101).Select(_ => Take(received))];
            Assert.Equal(Enumerable.Range(0, 100).Select(static i => $"news {i}"), all.Where(static each => each[0] == 'n'));
            Assert.Contains("sport.tennis ace", all);
        }

        WaitFor(() => Patterns(server) == 0 && client.PubSubNumSub("news") == 0);
    }

    [Fact]
    public void Its_cache_asks_once_and_forgets_what_others_change()
    {
        using var server = TestServer.Start();
        using RedisClient cached = Connect(server);
        cached.UseClientSideCaching(new ClientSideCachingOptions { Capacity = 100 });
        using RedisClient other = Connect(server);
        other.MSet("a", "1", "b", "2");
        for (int i = 0; i < 10; i++)
            Assert.Equal("1", cached.Get("a"));
        Assert.Equal(1, Calls(server, "get"));
        other.Set("a", "changed");
        WaitFor(() => cached.Get("a") == "changed");
        other.Del("b");
        Assert.Null(cached.Get("b"));
        long calls = Calls(server, "get");
        Assert.Equal("changed", cached.Get("a"));
        Assert.Equal(calls, Calls(server, "get"));
        other.FlushDb();
        WaitFor(() => cached.Get("a") is null);
    }

    [Fact]
    public void Locks_are_exclusive_extended_and_released_by_their_owner_alone()
    {
        using var server = TestServer.Start();
        using RedisClient client = Connect(server);
        using RedisClient other = Connect(server);
        using RedisClient.LockController? first = client.Lock("resource", 60, false);
        Assert.NotNull(first);
        Assert.Null(other.Lock("resource", 1, false));
        Assert.True(first.Delay(100_000));
        Assert.InRange(LongestExpiry(client), 100_000, 160_000);
        Assert.True(first.Refresh(30_000));
        Assert.InRange(LongestExpiry(client), 1, 30_000);
        Assert.True(first.Unlock());
        using RedisClient.LockController? second = other.Lock("resource", 60, false);
        Assert.NotNull(second);
        Assert.False(first.Unlock());
        Assert.True(second.Unlock());
    }

    [Fact]
    public void Scripts()
    {
        using var server = TestServer.Start();
        using RedisClient client = Connect(server);
        const string Script = "return {redis.call('incrby', KEYS[1], ARGV[1]), ARGV[2]}";
        Assert.Equal([5L, "text"], (object[])client.Eval(Script, ["n"], 5, "text"));
        string hash = client.ScriptLoad(Script);
        Assert.True(client.ScriptExists(hash));
        Assert.Equal([7L, "more"], (object[])client.EvalSha(hash, ["n"], 2, "more"));
        client.ScriptFlush();
        Assert.Contains("NOSCRIPT", Assert.Throws<RedisServerException>(() => client.EvalSha(hash, ["n"], 1, "x")).Message);
    }

    private static long LongestExpiry(RedisClient client) => client.Keys("*").Max(client.PTtl);

    private static RedisClient Connect(TestServer server) => new($"127.0.0.1:{server.EndPoint.Port},poolsize=4");

    // The client's own method for this sends another command.
    private static int Patterns(TestServer server)
    {
        using RespExchange asking = server.Connect();
        return asking.ExecuteText("PUBSUB", "NUMPAT")[1] - '0';
    }

    private static string Take(BlockingCollection<string> received)
    {
        Assert.True(received.TryTake(out string? message, Patience), "a message did not arrive");
        return message;
    }

    // The client subscribes and is told on a thread of its own.
    private static void WaitFor(Func<bool> condition)
    {
        long start = Environment.TickCount64;
        while (!condition())
        {
            Assert.True(Environment.TickCount64 - start < Patience.TotalMilliseconds, "it never happened");
            Thread.Sleep(2);
        }
    }

    private static long Calls(TestServer server, string command)
    {
        using RespExchange asking = server.Connect();
        string statistics = asking.ExecuteText("INFO", "commandstats");
        string start = $"cmdstat_{command}:calls=";
        int at = statistics.IndexOf(start, StringComparison.Ordinal);
        return at < 0 ? 0 : long.Parse(statistics[(at + start.Length)..].Split(',')[0], System.Globalization.CultureInfo.InvariantCulture);
    }
}
