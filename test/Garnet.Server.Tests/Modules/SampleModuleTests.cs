// The sample modules: each with a server in the test's process and a clock that the test advances.
using Garnet.BloomFilter;
using Garnet.Leaderboard;
using Garnet.TagCache;
using Garnet.Testing;
using Garnet.TokenBucket;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Modules;

public sealed class SampleModuleTests(ITestOutputHelper output)
{
    [Fact]
    public void A_bucket_refills_with_time()
    {
        using InProcessServer server = new(recordEffects: true, extensions: ModuleServer.With(typeof(TokenBucketModule)));
        Assert.Equal("*3\r\n:1\r\n:0\r\n:0\r\n", server.Call("LIM.TAKE", "user", "2", "0.5", "COST", "2"));
        Assert.Equal("*3\r\n:0\r\n:0\r\n:2000\r\n", server.Call("LIM.TAKE", "user", "2", "0.5"));
        server.Clock.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal("*3\r\n:1\r\n:0\r\n:0\r\n", server.Call("LIM.TAKE", "user", "2", "0.5"));
        Assert.StartsWith("MULTI; HSET user tokens 0 at ", server.Effects.Take()[0], StringComparison.Ordinal);
        server.Clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "user"));
        Assert.Equal("*3\r\n:0\r\n:2\r\n:-1\r\n", server.Call("LIM.TAKE", "user", "2", "0.5", "COST", "3"));
        Assert.StartsWith("-ERR capacity", server.Call("LIM.TAKE", "user", "2", "0"), StringComparison.Ordinal);
    }

    [Fact]
    public void An_invalidated_tag_invalidates_its_entries()
    {
        using InProcessServer server = new(extensions: ModuleServer.With(typeof(TagCacheModule)));
        Assert.Equal("+OK\r\n", server.Call("TAG.SET", "page", "html", "60000", "user:1", "lang"));
        Assert.Equal("$4\r\nhtml\r\n", server.Call("TAG.GET", "page", "user:1", "lang"));
        Assert.Equal(":1\r\n", server.Call("TAG.INVALIDATE", "user:1"));
        Assert.Equal("$-1\r\n", server.Call("TAG.GET", "page", "user:1", "lang"));
        Assert.Equal("$4\r\nhtml\r\n", server.Call("TAG.GET", "page", "lang"));
        Assert.Equal("$-1\r\n", server.Call("TAG.GET", "page", "unknown"));
        server.Clock.Advance(TimeSpan.FromMinutes(1.1));
        Assert.Equal("$-1\r\n", server.Call("TAG.GET", "page"));
    }

    [Fact]
    public void The_first_of_equal_players_is_ahead_until_the_window_ends()
    {
        using InProcessServer server = new(recordEffects: true, extensions: ModuleServer.With(typeof(LeaderboardModule)));
        Assert.Equal(":0\r\n", server.Call("LB.SUBMIT", "board", "ann", "10", "WINDOW", "3600"));
        server.Clock.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(":1\r\n", server.Call("LB.SUBMIT", "board", "bob", "10", "WINDOW", "3600"));
        Assert.Equal(":1\r\n", server.Call("LB.SUBMIT", "board", "bob", "9", "WINDOW", "3600"));
        Assert.Equal("*4\r\n$3\r\nann\r\n:10\r\n$3\r\nbob\r\n:10\r\n", server.Call("LB.TOP", "board", "10"));
        Assert.StartsWith("MULTI; ZADD board GT ", server.Effects.Take()[0], StringComparison.Ordinal);
        server.Clock.Advance(TimeSpan.FromHours(1));
        Assert.Equal("*0\r\n", server.Call("LB.TOP", "board", "10"));
        server.Call("SET", "s", "1");
        Assert.StartsWith("-WRONGTYPE", server.Call("LB.SUBMIT", "s", "ann", "1"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_filter_finds_what_was_added_and_little_else()
    {
        using InProcessServer server = new(extensions: ModuleServer.With(typeof(BloomFilterModule)));
        Assert.Equal("+OK\r\n", server.Call("BLOOM.RESERVE", "seen", "0.01", "1000"));
        for (int i = 0; i < 1000; i++)
            server.Call("BLOOM.ADD", "seen", $"item {i}");
        Assert.All(Enumerable.Range(0, 1000), i => Assert.Equal(":1\r\n", server.Call("BLOOM.EXISTS", "seen", $"item {i}")));
        Assert.InRange(Enumerable.Range(0, 1000).Count(i => server.Call("BLOOM.EXISTS", "seen", $"other {i}") == ":1\r\n"), 0, 40);
        Assert.Equal("+bloom-001\r\n", server.Call("TYPE", "seen"));
        Assert.Equal(":1\r\n", server.Call("COPY", "seen", "copy"));
        Assert.Equal(":1\r\n", server.Call("BLOOM.ADD", "copy", "only there"));
        Assert.Equal(":0\r\n", server.Call("BLOOM.EXISTS", "seen", "only there"));
        Assert.StartsWith("-ERR the error rate", server.Call("BLOOM.RESERVE", "x", "0", "1"), StringComparison.Ordinal);
        Assert.StartsWith(
            "-ERR the error rate",
            server.Call("BLOOM.RESERVE", "x", "0.01", "9223372036854775807"),
            StringComparison.Ordinal
        );
        Assert.StartsWith("-WRONGTYPE", server.Call("GET", "seen"), StringComparison.Ordinal);
    }

    // Without a checksum any bytes are possible; what is accepted is a filter that commands can use.
    [Fact]
    public void A_damaged_filter_is_refused_or_usable()
    {
        var random = new Random(TestSeed.Choose(output, 1));
        using InProcessServer server = new(
            static options => options.EnableDebugCommand = CommandAccess.Yes,
            extensions: ModuleServer.With(typeof(BloomFilterModule))
        );
        server.Call("BLOOM.RESERVE", "f", "0.1", "20");
        server.Call("BLOOM.ADD", "f", "x");
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "SET-SKIP-CHECKSUM-VALIDATION", "1"));
        string reply = server.Call("DUMP", "f");
        string payload = reply[(reply.IndexOf('\n', StringComparison.Ordinal) + 1)..^2];
        for (int i = 0; i < 3000; i++)
        {
            char[] damaged = payload.ToCharArray();
            for (int change = random.Next(1, 4); change > 0; change--)
                damaged[random.Next(damaged.Length - 10)] = (char)random.Next(256);
            string restored = server.Call("RESTORE", "r", "0", new string(damaged), "REPLACE");
            Assert.True(restored is "+OK\r\n" or "-ERR Bad data format\r\n", restored);
            Assert.StartsWith(":", server.Call("BLOOM.EXISTS", "r", "x"), StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Files_restore_the_filter()
    {
        using Persistence.LoggedServer logged = new(extensions: ModuleServer.With(typeof(BloomFilterModule)));
        logged.Call("BLOOM.RESERVE", "f", "0.01", "100");
        Assert.Equal(":1\r\n", logged.Call("BLOOM.ADD", "f", "x"));
        string dump = logged.Call("DUMP", "f");
        logged.Restart();
        Assert.Equal(dump, logged.Call("DUMP", "f"));
    }
}
