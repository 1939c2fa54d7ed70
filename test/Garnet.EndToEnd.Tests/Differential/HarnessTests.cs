// Tests of the differential harness itself: it must detect a difference, and report none where there is none. One thread.
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Differential;

public sealed class HarnessTests(ITestOutputHelper output)
{
    [PeerFact("redis-server")]
    public void Two_servers_of_one_kind_do_not_differ()
    {
        // A fixed seed: there are histories at which a process of Redis 7.0 ends (1166634382 has one), as it does at errors in scripts.
        int seed = TestSeed.Choose(output, 71);
        using var one = PeerServer.Start("redis-server");
        using var other = PeerServer.Start("redis-server");
        foreach (Family family in Family.All.Where(static family => family.Name != "scripts"))
        {
            Assert.True(
                DifferentialRun.AgainstLive(
                    one.EndPoint,
                    other.EndPoint,
                    Enumerable.Range(seed, 3).Select(each => family.Generate(each, Dialect.Valkey91)),
                    KnownDifferences.FromAnotherProcess
                ) >= 300
            );
        }
    }

    [PeerFact("redis-server", "valkey-server", Optional = true)]
    public void The_two_references_agree_on_what_both_know()
    {
        using var redis = PeerServer.Start("redis-server");
        using var valkey = PeerServer.Start("valkey-server");
        int seed = TestSeed.ChooseAnew(output);
        IEnumerable<Episode> episodes = Family.KnownToRedis.SelectMany(family =>
            Enumerable.Range(seed, 40).Select(each => family.Generate(each, Dialect.Redis70))
        );
        DifferentialRun.Note(
            output,
            "both",
            DifferentialRun.AgainstLive(redis.EndPoint, valkey.EndPoint, episodes, KnownDifferences.FromRedis70)
        );
    }

    [Fact]
    public void The_same_seed_generates_the_same_history()
    {
        foreach (Family family in Family.All)
        {
            Assert.Equal(
                family.Generate(7, Dialect.Valkey91).Commands.Select(command => command.ToString()),
                family.Generate(7, Dialect.Valkey91).Commands.Select(command => command.ToString())
            );
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_hash_whose_fields_have_all_expired_is_not_listed(bool expires)
    {
        ManualTimeProvider clock = new();
        using var server = TestServer.Start(time: clock);
        server.Server.Resp.Store.Maintenance.RemovesExpired = false;
        using RespExchange client = server.Connect();
        client.ExecuteText("HSET", "h", "f", "v");
        client.ExecuteText("HPEXPIRE", "h", "1", "FIELDS", "1", "f");
        if (expires)
            client.ExecuteText("PEXPIRE", "h", "1000");
        Assert.Single(DataListing.Of(client));
        clock.Advance(TimeSpan.FromMilliseconds(2));
        Assert.Empty(DataListing.Of(client));
    }

    [Theory]
    [InlineData("GET k", "$1\r\na\r\n", "$1\r\nb\r\n")]
    [InlineData("GET k", "$-1\r\n", "_\r\n")]
    [InlineData("GET k", "+OK\r\n", "$2\r\nOK\r\n")]
    [InlineData("GET k", "+OK\r\n", "")]
    [InlineData("TTL k", ":1000\r\n", ":900\r\n")]
    [InlineData("TTL k", ":-1\r\n", ":-2\r\n")]
    [InlineData("TTL k", "-ERR x\r\n", "-ERR y\r\n")]
    [InlineData("KEYS *", "*2\r\n$1\r\na\r\n$1\r\nb\r\n", "*2\r\n$1\r\na\r\n$1\r\na\r\n")]
    [InlineData("RANDOMKEY", "$-1\r\n", "$1\r\na\r\n")]
    [InlineData("HELLO 3", "%1\r\n$5\r\nproto\r\n:3\r\n", "%1\r\n$5\r\nproto\r\n:2\r\n")]
    public void A_different_reply_is_detected(string command, string expected, string actual)
    {
        Assert.NotNull(Compare(command, expected, actual));
    }

    [Theory]
    [InlineData("TTL k", ":1000\r\n", ":999\r\n")]
    [InlineData("KEYS *", "*2\r\n$1\r\na\r\n$1\r\nb\r\n", "*2\r\n$1\r\nb\r\n$1\r\na\r\n")]
    [InlineData("RANDOMKEY", "$1\r\nb\r\n", "$1\r\na\r\n")]
    [InlineData("HELLO 3", "%1\r\n$6\r\nserver\r\n$1\r\na\r\n", "%1\r\n$6\r\nserver\r\n$1\r\nb\r\n")]
    public void A_reply_that_may_vary_is_not_a_difference(string command, string expected, string actual)
    {
        Assert.Null(Compare(command, expected, actual));
    }

    [Fact]
    public void A_reply_inside_EXEC_is_compared_as_its_commands_own()
    {
        string[] commands = ["MULTI", "TTL k", "GET k", "EXEC"];
        Assert.Null(CompareAll(commands, "*2\r\n:1000\r\n:5\r\n", "*2\r\n:999\r\n:5\r\n"));
        Assert.NotNull(CompareAll(commands, "*2\r\n:1000\r\n:5\r\n", "*2\r\n:1000\r\n:4\r\n"));
    }

    private static Mismatch? CompareAll(string[] commands, string expected, string actual)
    {
        var episode = new Episode("test", 0, 2, 1, false, [.. commands.Select(Parse)]);
        byte[][] Replies(string last) => [.. new[] { "+OK\r\n", "+QUEUED\r\n", "+QUEUED\r\n", last }.Select(Encoding.ASCII.GetBytes)];
        return EpisodeComparison.FirstMismatch(episode, Replies(expected), Replies(actual), ComparisonClock.Live, []);
    }

    private static Mismatch? Compare(string command, string expected, string actual) =>
        EpisodeComparison.FirstMismatch(
            new Episode("test", 0, 2, 1, false, [Parse(command)]),
            [Encoding.ASCII.GetBytes(expected)],
            [Encoding.ASCII.GetBytes(actual)],
            ComparisonClock.Live,
            []
        );

    private static Command Parse(string text) => new(0, [.. text.Split(' ').Select(Encoding.ASCII.GetBytes)]);
}
