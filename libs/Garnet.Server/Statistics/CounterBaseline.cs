// What some counters of a server were when CONFIG RESETSTAT was called last. Immutable.
using Garnet.Server.Persistence;
using Garnet.Server.Replication;
using Garnet.Server.Scripting;

namespace Garnet.Server.Statistics;

/// <summary>The parts of a server that own these counters go on counting; INFO shows what was added since.</summary>
internal sealed class CounterBaseline
{
    /// <summary>The one of the start.</summary>
    public static CounterBaseline Zero { get; } = new();

    private CounterBaseline() { }

    /// <summary>The present one.</summary>
    public CounterBaseline(ServerReplication replication, ServerPersistence persistence, ServerScripts scripts)
    {
        FullSyncs = replication.Replicas.FullSyncs;
        PartialSyncs = replication.Replicas.PartialSyncs;
        RefusedPartialSyncs = replication.Replicas.RefusedPartialSyncs;
        ReceivedBytes = replication.ReceivedBytes;
        SentBytes = replication.Replicas.SentBytes;
        Saves = persistence.Snapshots.Saves;
        Rewrites = persistence.AppendOnly.Rewrites.Count;
        DelayedSyncs = persistence.AppendOnly.Log?.DelayedSyncs ?? 0;
        EvictedScripts = scripts.Cache.Evicted;
        ProcessorTime = ProcessorSection.TryGetUsage(out Environment.ProcessCpuUsage usage) ? usage.TotalTime : TimeSpan.Zero;
    }

    /// <summary>Full synchronizations requested.</summary>
    public long FullSyncs { get; }

    /// <summary>Synchronizations that continued at a position.</summary>
    public long PartialSyncs { get; }

    /// <summary>Requests to continue that became full synchronizations.</summary>
    public long RefusedPartialSyncs { get; }

    /// <summary>Bytes received from primaries.</summary>
    public long ReceivedBytes { get; }

    /// <summary>Bytes sent to replicas.</summary>
    public long SentBytes { get; }

    /// <summary>Snapshots begun.</summary>
    public long Saves { get; }

    /// <summary>Rewrites of the append-only log.</summary>
    public long Rewrites { get; }

    /// <summary>Late syncs of the append-only log.</summary>
    public long DelayedSyncs { get; }

    /// <summary>Scripts evicted.</summary>
    public long EvictedScripts { get; }

    /// <summary>Processor time of the process.</summary>
    public TimeSpan ProcessorTime { get; }
}
