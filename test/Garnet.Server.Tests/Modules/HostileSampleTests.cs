// What clients can send to the samples without a type of their own, and write into the keys that they use.
using Garnet.Leaderboard;
using Garnet.TagCache;
using Garnet.Testing;
using Garnet.TokenBucket;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Modules;

public sealed class HostileSampleTests(ITestOutputHelper output)
{
    private const int Rounds = 3000;

    private static readonly string[] Values =
    [
        "",
        "0",
        "1",
        "-1",
        "2",
        "60000",
        "0.5",
        "-0.0",
        "1e308",
        "-1e308",
        "1e-308",
        "inf",
        "-inf",
        "nan",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "4194303",
        "4194304",
        "2147483647",
        "2147483648",
        " 1",
        "1 ",
        "x",
        "\0",
        "\r\n",
        "k1",
        "k2",
        "k3",
        new string('9', 400),
        new string('z', 70_000),
    ];

    private static readonly string[] Keys = ["k1", "k2", "k3"];

    [Fact]
    public void Token_buckets() =>
        Attack(
            typeof(TokenBucketModule),
            random =>
                random.Next(4) switch
                {
                    0 => ["HSET", Key(random), "tokens", Value(random), "at", Value(random)],
                    1 => ["LIM.TAKE", Key(random), Value(random), Value(random), "COST", Value(random)],
                    _ => ["LIM.TAKE", Key(random), Value(random), Value(random)],
                }
        );

    [Fact]
    public void Leaderboards() =>
        Attack(
            typeof(LeaderboardModule),
            random =>
                random.Next(4) switch
                {
                    0 => ["ZADD", Key(random), Value(random), Value(random)],
                    1 => ["LB.TOP", Key(random), Value(random)],
                    2 => ["LB.SUBMIT", Key(random), Value(random), Value(random), "WINDOW", Value(random)],
                    _ => ["LB.SUBMIT", Key(random), Value(random), Value(random)],
                }
        );

    [Fact]
    public void Caches_with_tags() =>
        Attack(
            typeof(TagCacheModule),
            random =>
                random.Next(6) switch
                {
                    0 => ["SET", Key(random), Value(random)],
                    1 => ["HSET", Key(random), "value", Value(random), "tag:k2", Value(random)],
                    2 => ["TAG.INVALIDATE", Key(random), Key(random)],
                    3 => ["TAG.GET", Key(random), Key(random), Value(random)],
                    _ => ["TAG.SET", Key(random), Value(random), Value(random), Key(random), Value(random)],
                }
        );

    private static string Key(Random random) => Keys[random.Next(Keys.Length)];

    private static string Value(Random random) => Values[random.Next(Values.Length)];

    // Each command has one reply, a command that was refused has changed nothing (but of several tags the first ones), and no exception
    // gets out of the module.
    private void Attack(Type module, Func<Random, string[]> next)
    {
        var random = new Random(TestSeed.Choose(output, 1));
        using InProcessServer server = new(recordEffects: true, extensions: ModuleServer.With(module));
        for (int i = 0; i < Rounds; i++)
        {
            if (random.Next(20) == 0)
                server.Call("DEL", Key(random));
            if (random.Next(50) == 0)
                server.Call("SET", Key(random), "string", "PX", "100000");
            string[] command = next(random);
            server.Call(["EXISTS", .. Keys]); // what has expired is gone
            long changes = server.Server.Store.Statistics.Changes;
            string reply = server.Call(command);
            Assert.Equal("+PONG\r\n", server.Call("PING"));
            if (reply.StartsWith('-') && command[0] != "TAG.INVALIDATE")
                Assert.Equal(changes, server.Server.Store.Statistics.Changes);
            Assert.True(server.Server.Modules.All[0].Exceptions == 0, string.Join(' ', command) + " " + reply);
            if (i % 100 == 0)
                server.Clock.Advance(TimeSpan.FromSeconds(random.Next(100)));
        }

        server.Effects.Take();
    }
}
