// Runs episodes on two servers, or on one against recorded replies, and fails with the differences. One thread.
using System.Net;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>One differential test's work.</summary>
internal static class DifferentialRun
{
    /// <summary>Compares against a live reference.</summary>
    /// <returns>Number of commands compared.</returns>
    public static int AgainstLive(EndPoint reference, EndPoint server, IEnumerable<Episode> episodes, KnownDifference[] known)
    {
        var referenceRunner = new EpisodeRunner(reference);
        var serverRunner = new EpisodeRunner(server);
        Mismatch? Compare(Episode episode)
        {
            byte[][] expected = referenceRunner.Run(episode);
            return EpisodeComparison.FirstMismatch(episode, expected, serverRunner.Run(episode), ComparisonClock.Live, known);
        }

        var mismatches = new List<Mismatch>();
        int commands = 0;
        foreach (Episode episode in episodes)
        {
            commands += episode.Commands.Count;
            if (Compare(episode) is { } mismatch)
                mismatches.Add(mismatch);
        }

        Assert.True(mismatches.Count == 0, MismatchReport.Write(mismatches, mismatch => HistoryShrinker.Shrink(mismatch, Compare)));
        return commands;
    }

    /// <summary>Compares against a transcript.</summary>
    /// <returns>Number of commands compared.</returns>
    public static int AgainstTranscript(Transcript transcript, EndPoint server, HistoryPressure? pressure = null)
    {
        var runner = new EpisodeRunner(server, pressure);
        var mismatches = new List<Mismatch>();
        int commands = 0;
        foreach ((Episode episode, byte[][] replies) in transcript.Entries)
        {
            commands += episode.Commands.Count;
            var clock = new ComparisonClock(transcript.RecordedAtMs, DateTimeOffset.UtcNow.ToUnixTimeMilliseconds());
            if (EpisodeComparison.FirstMismatch(episode, replies, runner.Run(episode), clock, KnownDifferences.FromValkey) is { } mismatch)
                mismatches.Add(mismatch);
        }

        Assert.True(mismatches.Count == 0, MismatchReport.Write(mismatches, HistoryShrinker.Related));
        return commands;
    }

    /// <summary>Prints how much was compared.</summary>
    public static void Note(ITestOutputHelper output, string what, int commands) =>
        output.WriteLine($"{what}: {commands} commands compared");
}
