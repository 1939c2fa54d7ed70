// CONFIG RESETSTAT
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Persistence;
using Garnet.Server.Replication;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Config;

/// <summary>Resets the counters in INFO.</summary>
internal sealed class ConfigResetStatCommand(
    ThreadScratchPool threads,
    ServerStatistics statistics,
    ServerReplication replication,
    ServerPersistence persistence,
    ServerScripts scripts
)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "RESETSTAT",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "2.0.0",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        MakeHandler = static parts =>
            new ConfigResetStatCommand(
                parts.Get<ThreadScratchPool>(),
                parts.Get<ServerStatistics>(),
                parts.Get<ServerReplication>(),
                parts.Get<ServerPersistence>(),
                parts.Get<ServerScripts>()
            ).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        threads.ResetStatistics();
        statistics.Reset(Baseline());
        context.Store.Store.Statistics.Reset();
        context.Reply.WriteOk();
    }

    private CounterBaseline Baseline() =>
        new()
        {
            FullSyncs = replication.Replicas.FullSyncs,
            PartialSyncs = replication.Replicas.PartialSyncs,
            RefusedPartialSyncs = replication.Replicas.RefusedPartialSyncs,
            ReceivedBytes = replication.ReceivedBytes,
            SentBytes = replication.Replicas.SentBytes,
            Saves = persistence.Snapshots.Saves,
            Rewrites = persistence.AppendOnly.Rewrites.Count,
            DelayedSyncs = persistence.AppendOnly.Log?.DelayedSyncs ?? 0,
            EvictedScripts = scripts.Cache.Evicted,
            ProcessorTime = ProcessorUsage.TryGet(out Environment.ProcessCpuUsage usage) ? usage.TotalTime : TimeSpan.Zero,
        };
}
