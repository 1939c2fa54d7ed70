// The events of keys compared with Valkey: by transcript, and live where it is installed. Each test has its own servers.
using System.Net;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Differential.Notifications;

public sealed class NotificationDifferentialTests(ITestOutputHelper output)
{
    private const int RecordedEpisodes = 8;
    private const int LiveEpisodes = 30;
    private const int FirstSeed = 520_000;

    [Theory]
    [InlineData(TransportKind.Epoll)]
    [InlineData(TransportKind.Sockets)]
    public void Events_are_told_as_recorded_from_Valkey(TransportKind transport)
    {
        if (transport == TransportKind.Epoll && !OperatingSystem.IsLinux())
            return;
        using var server = TestServer.Start(options => (options.Transport, options.EnableDebugCommand) = (transport, CommandAccess.Yes));
        int events = CompareWithTranscript(server.EndPoint);
        DifferentialRun.Note(output, "transcript", events);
        Assert.True(events >= 10_000);
    }

    [PeerFact("valkey-server", Optional = true)]
    public void New_histories_tell_events_as_Valkey_does()
    {
        using var reference = PeerServer.Start("valkey-server", "--enable-debug-command", "yes");
        using var server = TestServer.Start(static options => options.EnableDebugCommand = CommandAccess.Yes);
        int seed = TestSeed.ChooseAnew(output);
        EventRunner expecting = new(reference.EndPoint),
            acting = new(server.EndPoint);
        List<Mismatch> mismatches = [];
        int commands = 0;
        foreach (string family in EventHistory.Families)
        {
            for (int i = 0; i < LiveEpisodes; i++)
            {
                Episode episode = EventHistory.Generate(family, seed + i);
                commands += episode.Commands.Count;
                if (Compare(episode) is { } mismatch)
                    mismatches.Add(mismatch);
            }
        }

        DifferentialRun.Note(output, "live", commands);
        Assert.True(mismatches.Count == 0, MismatchReport.Write(mismatches, mismatch => HistoryShrinker.Shrink(mismatch, Compare)));

        Mismatch? Compare(Episode episode) => FirstMismatch(episode, expecting.Run(episode), acting.Run(episode));
    }

    /// <summary>With GARNET_RECORD=1 and GARNET_VALKEY_SERVER=path it records the transcript anew.</summary>
    [PeerFact("valkey-server", Optional = true)]
    public void The_reference_still_tells_events_as_in_the_transcript()
    {
        using var reference = PeerServer.Start("valkey-server", "--enable-debug-command", "yes");
        if (Environment.GetEnvironmentVariable("GARNET_RECORD") == "1")
            Record(reference.EndPoint);
        CompareWithTranscript(reference.EndPoint);
    }

    private static void Record(EndPoint reference)
    {
        EventRunner runner = new(reference);
        IEnumerable<Episode> episodes = EventHistory.Families.SelectMany(static family =>
            Enumerable.Range(FirstSeed, RecordedEpisodes).Select(seed => EventHistory.Generate(family, seed))
        );
        long now = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds();
        new Transcript("valkey 9.1.2", now, [.. episodes.Select(episode => (episode, runner.Run(episode)))]).Write(
            Transcript.PathOf(EventHistory.Transcript)
        );
    }

    private static int CompareWithTranscript(EndPoint server)
    {
        EventRunner runner = new(server);
        List<Mismatch> mismatches = [];
        int events = 0;
        foreach ((Episode episode, byte[][] expected) in Transcript.Read(Transcript.PathOf(EventHistory.Transcript)).Entries)
        {
            events += expected.Sum(static text => text.AsSpan().Count((byte)'\n'));
            if (FirstMismatch(episode, expected, runner.Run(episode)) is { } mismatch)
                mismatches.Add(mismatch);
        }

        Assert.True(mismatches.Count == 0, MismatchReport.Write(mismatches, HistoryShrinker.Related));
        return events;
    }

    private static Mismatch? FirstMismatch(Episode episode, byte[][] expected, byte[][] actual)
    {
        for (int i = 0; i < expected.Length; i++)
        {
            if (!expected[i].AsSpan().SequenceEqual(actual[i]))
                return new Mismatch(episode, i, expected[i], actual[i]);
        }

        return null;
    }
}
