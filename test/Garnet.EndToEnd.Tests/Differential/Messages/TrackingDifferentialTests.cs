// Tracking of keys compared with Valkey: by transcript, and live where it is installed. Each test has its own servers.
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Differential.Messages;

public sealed class TrackingDifferentialTests(ITestOutputHelper output)
{
    private const int Episodes = 60;
    private const int FirstSeed = 440_100;

    [Theory]
    [MemberData(nameof(MessageDifferentialTests.Transports), MemberType = typeof(MessageDifferentialTests))]
    public void Invalidations_are_sent_as_recorded_from_Valkey(TransportKind transport)
    {
        if (transport == TransportKind.Epoll && !OperatingSystem.IsLinux())
            return;
        using var server = TestServer.Start(options => options.Transport = transport);
        int commands = 0;
        foreach ((Episode episode, byte[][] replies) in Transcript.Read(Transcript.PathOf(TrackingHistory.Name)).Entries)
            commands += MessageComparison.Compare(new TrackingRunner(server.EndPoint), episode, replies);
        DifferentialRun.Note(output, "transcript", commands);
    }

    [PeerFact("valkey-server", Optional = true)]
    public void New_histories_of_tracking_go_as_with_Valkey()
    {
        using var reference = PeerServer.Start("valkey-server");
        using var server = TestServer.Start();
        int seed = TestSeed.ChooseAnew(output);
        int commands = 0;
        for (int i = 0; i < Episodes; i++)
        {
            Episode episode = TrackingHistory.Generate(seed + i);
            byte[][] expected = new TrackingRunner(reference.EndPoint).Run(episode);
            commands += MessageComparison.Compare(new TrackingRunner(server.EndPoint), episode, expected);
        }

        DifferentialRun.Note(output, "live", commands);
    }

    /// <summary>With GARNET_RECORD=1 and GARNET_VALKEY_SERVER=path it records the transcript anew.</summary>
    [PeerFact("valkey-server", Optional = true)]
    public void The_reference_still_invalidates_as_in_the_transcript()
    {
        using var reference = PeerServer.Start("valkey-server");
        string path = Transcript.PathOf(TrackingHistory.Name);
        if (Environment.GetEnvironmentVariable("GARNET_RECORD") == "1")
        {
            IEnumerable<Episode> episodes = Enumerable.Range(FirstSeed, Episodes).Select(TrackingHistory.Generate);
            long now = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds();
            (Episode, byte[][])[] entries = [.. episodes.Select(each => (each, new TrackingRunner(reference.EndPoint).Run(each)))];
            new Transcript("valkey 9.1.2", now, entries).Write(path);
        }

        foreach ((Episode episode, byte[][] replies) in Transcript.Read(path).Entries)
            MessageComparison.Compare(new TrackingRunner(reference.EndPoint), episode, replies);
    }
}
