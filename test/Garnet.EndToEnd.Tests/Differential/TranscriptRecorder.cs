// Records the committed transcripts from a Valkey build. One thread.
using Garnet.Testing;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>
/// Run with GARNET_RECORD=1, or the name of one family, and GARNET_VALKEY_SERVER=path:
/// `dotnet test test/Garnet.EndToEnd.Tests --filter TranscriptRecorder`. Without GARNET_RECORD it checks that the reference, if available,
/// still replies as recorded.
/// </summary>
public sealed class TranscriptRecorder(ITestOutputHelper output)
{
    private const int EpisodesPerFamily = 90;
    private const int FirstSeed = 910_200;

    [PeerFact("valkey-server", Optional = true)]
    public void The_reference_still_replies_as_in_the_transcripts()
    {
        using var reference = PeerServer.Start("valkey-server", "--enable-debug-command", "yes");
        string recorded = Environment.GetEnvironmentVariable("GARNET_RECORD") ?? "";
        if (recorded == "1")
            Write(CommandMetadataTests.TranscriptName, [CommandMetadataTests.Questions], reference);
        foreach (Family family in Family.All)
        {
            if (recorded == "1" || recorded == family.Name)
            {
                Write(
                    family.Name,
                    Enumerable.Range(FirstSeed, EpisodesPerFamily).Select(seed => family.Generate(seed, Dialect.Valkey91)),
                    reference
                );
            }

            var transcript = Transcript.Read(Transcript.PathOf(family.Name));
            DifferentialRun.Note(output, family.Name, DifferentialRun.AgainstTranscript(transcript, reference.EndPoint));
        }
    }

    private static void Write(string name, IEnumerable<Episode> episodes, PeerServer reference)
    {
        var runner = new EpisodeRunner(reference.EndPoint);
        long now = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds();
        new Transcript("valkey 9.1.2", now, [.. episodes.Select(episode => (episode, runner.Run(episode)))]).Write(Transcript.PathOf(name));
    }
}
