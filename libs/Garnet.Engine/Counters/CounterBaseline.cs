// What some counters of a server were when CONFIG RESETSTAT was called last. Immutable.
namespace Garnet.Engine.Counters;

/// <summary>The parts of a server that own these counters go on counting; INFO shows what was added since.</summary>
internal sealed class CounterBaseline
{
    /// <summary>The one of the start.</summary>
    public static CounterBaseline Zero { get; } = new();

    /// <summary>Full synchronizations requested.</summary>
    public long FullSyncs { get; init; }

    /// <summary>Synchronizations that continued at a position.</summary>
    public long PartialSyncs { get; init; }

    /// <summary>Requests to continue that became full synchronizations.</summary>
    public long RefusedPartialSyncs { get; init; }

    /// <summary>Bytes received from primaries.</summary>
    public long ReceivedBytes { get; init; }

    /// <summary>Bytes sent to replicas.</summary>
    public long SentBytes { get; init; }

    /// <summary>Snapshots begun.</summary>
    public long Saves { get; init; }

    /// <summary>Rewrites of the append-only log.</summary>
    public long Rewrites { get; init; }

    /// <summary>Late syncs of the append-only log.</summary>
    public long DelayedSyncs { get; init; }

    /// <summary>Scripts evicted.</summary>
    public long EvictedScripts { get; init; }

    /// <summary>Processor time of the process.</summary>
    public TimeSpan ProcessorTime { get; init; }
}
