// Where a log is to go on. Immutable.
namespace Garnet.Persistence.AppendLog;

/// <summary>The first generation that a newly opened log writes.</summary>
/// <param name="LogId">Identity of the log, the same in all its generations.</param>
/// <param name="Generation">The generation's number; higher than any that exists.</param>
/// <param name="Offset">Position in the stream of effects where it begins.</param>
/// <param name="NeedsBase">
/// Whether it is of no use without the snapshot of its own number, rather than continuing the generation before.
/// </param>
public readonly record struct LogStart(ulong LogId, int Generation, long Offset, bool NeedsBase)
{
    /// <summary>The generation whose snapshot is there already and holds the data that the log continues; 0 when there is none.</summary>
    public int Base { get; init; }

    /// <summary>Generations that the log goes on after, in order; null for none.</summary>
    public IReadOnlyList<ManifestGeneration>? Earlier { get; init; }

    /// <summary>Whether a start finds the generation's data again as soon as the generation is there.</summary>
    internal bool IsComplete => !NeedsBase || Base != 0;

    /// <summary>A new log.</summary>
    /// <param name="generation">Higher than any that exists.</param>
    /// <param name="needsBase">Whether there is data already.</param>
    public static LogStart Fresh(int generation, bool needsBase) => new((ulong)Random.Shared.NextInt64(), generation, 0, needsBase);
}
