// The server compared with its references: Redis 7.0 live, Valkey 9.1 by transcript. Each test has its own servers.
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Differential;

public sealed class DifferentialTests(ITestOutputHelper output)
{
    private const int EpisodesPerFamily = 100;
    private const int FirstSeed = 70_000;

    public static TheoryData<string> Families => [.. Family.All.Select(family => family.Name)];

    [PeerFact("redis-server")]
    public void Histories_are_answered_as_by_Redis()
    {
        using var reference = PeerServer.Start("redis-server");
        using var server = TestServer.Start();
        int seed = TestSeed.Choose(output, FirstSeed);
        int commands = DifferentialRun.AgainstLive(
            reference.EndPoint,
            server.EndPoint,
            Family.KnownToRedis.SelectMany(family =>
                Enumerable.Range(seed, EpisodesPerFamily).Select(each => family.Generate(each, Dialect.Redis70))
            ),
            KnownDifferences.FromRedis70
        );
        DifferentialRun.Note(output, "live", commands);
        Assert.True(commands >= 50_000);
    }

    [PeerFact("valkey-server", Optional = true)]
    public void New_histories_are_answered_as_by_Valkey()
    {
        using var reference = PeerServer.Start("valkey-server", "--enable-debug-command", "yes");
        using var server = TestServer.Start(options => options.EnableDebugCommand = CommandAccess.Yes);
        int seed = TestSeed.ChooseAnew(output);
        int commands = DifferentialRun.AgainstLive(
            reference.EndPoint,
            server.EndPoint,
            Family.All.SelectMany(family =>
                Enumerable.Range(seed, EpisodesPerFamily).Select(each => family.Generate(each, Dialect.Valkey91))
            ),
            KnownDifferences.FromValkey
        );
        DifferentialRun.Note(output, "live", commands);
    }

    [Theory]
    [MemberData(nameof(Families))]
    public void Histories_are_answered_as_recorded_from_Valkey(string family)
    {
        using var server = TestServer.Start(options => options.EnableDebugCommand = CommandAccess.Yes);
        Replay(family, server);
    }

    [Fact]
    public void The_portable_transport_answers_as_recorded_from_Valkey()
    {
        using var server = TestServer.Start(options => options.Transport = TransportKind.Sockets);
        Replay("mixed", server);
        Replay("transactions", server);
    }

    private void Replay(string family, TestServer server)
    {
        int commands = DifferentialRun.AgainstTranscript(Transcript.Read(Transcript.PathOf(family)), server.EndPoint);
        DifferentialRun.Note(output, family, commands);
        Assert.True(commands >= 8_000);
    }
}
