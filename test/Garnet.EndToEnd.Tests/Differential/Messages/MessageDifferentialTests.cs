// Publishing and subscribing compared with Valkey: by transcript, and live where it is installed. Each test has its own servers.
using System.Net;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Differential.Messages;

public sealed class MessageDifferentialTests(ITestOutputHelper output)
{
    private const int Episodes = 60;
    private const int FullEpisodes = 850; // of some 120 commands: more than 100,000
    private const int FirstSeed = 330_100;

    /// <summary>Every transport, and a connection whose messages pass through its session.</summary>
    public static TheoryData<TransportKind> Transports => [TransportKind.Epoll, TransportKind.Sockets];

    [Theory]
    [MemberData(nameof(Transports))]
    public void Messages_are_delivered_as_recorded_from_Valkey(TransportKind transport)
    {
        if (transport == TransportKind.Epoll && !OperatingSystem.IsLinux())
            return;
        using var server = TestServer.Start(options => options.Transport = transport);
        int commands = 0;
        foreach ((Episode episode, byte[][] replies) in Transcript.Read(Transcript.PathOf(MessageHistory.Name)).Entries)
            commands += Compare(episode, replies, server.EndPoint);
        DifferentialRun.Note(output, "transcript", commands);
    }

    [PeerFact("valkey-server", Optional = true)]
    public void New_histories_of_messages_are_delivered_as_by_Valkey()
    {
        using var reference = PeerServer.Start("valkey-server");
        using var server = TestServer.Start();
        int seed = TestSeed.ChooseAnew(output);
        int commands = 0;
        for (int i = 0; i < FaultScale.Count(Episodes, FullEpisodes); i++)
        {
            Episode episode = MessageHistory.Generate(seed + i);
            commands += Compare(episode, new MessageRunner(reference.EndPoint).Run(episode), server.EndPoint);
        }

        DifferentialRun.Note(output, "live", commands);
    }

    [PeerFact("valkey-server", Optional = true)]
    public void Users_whose_rights_change_get_what_they_get_from_Valkey()
    {
        using var reference = PeerServer.Start("valkey-server");
        using var server = TestServer.Start();
        int seed = TestSeed.ChooseAnew(output);
        int commands = 0;
        for (int i = 0; i < FaultScale.Count(30, FullEpisodes); i++)
        {
            Episode episode = MessageHistory.GenerateWithUsers(seed + i);
            commands += Compare(episode, new MessageRunner(reference.EndPoint).Run(episode), server.EndPoint);
        }

        DifferentialRun.Note(output, "live with users", commands);
    }

    /// <summary>With GARNET_RECORD=1 and GARNET_VALKEY_SERVER=path it records the transcript anew.</summary>
    [PeerFact("valkey-server", Optional = true)]
    public void The_reference_still_delivers_as_in_the_transcript()
    {
        using var reference = PeerServer.Start("valkey-server");
        string path = Transcript.PathOf(MessageHistory.Name);
        if (Environment.GetEnvironmentVariable("GARNET_RECORD") == "1")
        {
            var runner = new MessageRunner(reference.EndPoint);
            IEnumerable<Episode> episodes = Enumerable.Range(FirstSeed, Episodes).Select(MessageHistory.Generate);
            long now = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds();
            new Transcript("valkey 9.1.2", now, [.. episodes.Select(episode => (episode, runner.Run(episode)))]).Write(path);
        }

        foreach ((Episode episode, byte[][] replies) in Transcript.Read(path).Entries)
            Compare(episode, replies, reference.EndPoint);
    }

    private static int Compare(Episode episode, byte[][] expected, EndPoint server) =>
        MessageComparison.Compare(new MessageRunner(server), episode, expected);
}
