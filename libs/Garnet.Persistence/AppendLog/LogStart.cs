// Where a log continues. Immutable.
namespace Garnet.Persistence.AppendLog;

/// <summary>The first generation that a newly opened log writes.</summary>
/// <param name="LogId">Identity of the log, the same in all its generations.</param>
/// <param name="Generation">The generation's number; higher than any that exists.</param>
/// <param name="Offset">Position in the stream of effects where it begins.</param>
/// <param name="NeedsBase">
/// Whether it is useless without the snapshot with its own number, rather than continuing the previous generation.
/// </param>
internal readonly record struct LogStart(ulong LogId, int Generation, long Offset, bool NeedsBase)
{
    /// <summary>The generation whose snapshot exists already and holds the data that the log continues; 0 when there is none.</summary>
    public int Base { get; init; }

    /// <summary>Generations that the log continues, in order; null for none.</summary>
    public IReadOnlyList<ManifestGeneration>? Earlier { get; init; }

    /// <summary>Whether a start can recover the generation's data as soon as the generation exists.</summary>
    internal bool IsComplete => !NeedsBase || Base != 0;

    /// <summary>A new log.</summary>
    /// <param name="generation">Higher than any that exists.</param>
    /// <param name="needsBase">Whether there is data already.</param>
    public static LogStart Fresh(int generation, bool needsBase) => new((ulong)Random.Shared.NextInt64(), generation, 0, needsBase);
}
