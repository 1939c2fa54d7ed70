// INFO memory. Any thread.
using System.Globalization;
using Garnet.Engine.Clients;
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Garnet.Server.Eviction;
using Garnet.Server.Persistence;
using Garnet.Server.Replication;
using Garnet.Server.Scripting;
using Garnet.Store;

namespace Garnet.Server.Statistics;

/// <summary>
/// Memory use. <c>used_memory</c> is what maxmemory limits; its parts follow by kind and add up to it. The process additionally contains
/// the program itself, which is part of the resident memory only.
/// </summary>
internal sealed class MemorySection(
    ServerConfiguration configuration,
    HybridLogStore data,
    MemoryAccount account,
    ServerStatistics statistics,
    ServerPersistence persistence,
    ServerScripts scripts,
    ClientRegistry clients,
    ServerReplication replication
) : InfoSection("memory", "Memory", isDefault: true)
{
    private static readonly string[] Missing = ["mem_cluster_links", "active_defrag_running"];

    /// <inheritdoc/>
    public override void Write(InfoText text, CounterTotals totals)
    {
        GarnetOptions options = configuration.Current;
        StoreStatistics store = data.Statistics;
        var memory = MemoryFigures.Of(data, account, statistics);
        long used = memory.Used;
        long system = MachineMemory.MachineBytes;
        text.Bytes("used_memory", used);
        text.Bytes("used_memory_rss", memory.Resident);
        text.Bytes("used_memory_peak", memory.Peak);
        text.Field("used_memory_peak_perc", Percent(used, memory.Peak));
        text.Field("used_memory_overhead", used - memory.Data);
        text.Field("used_memory_startup", account.StartBytes);
        text.Field("used_memory_dataset", memory.Data);
        text.Field("used_memory_dataset_perc", Percent(memory.Data, used));
        text.Field("used_memory_log", store.LogBytes);
        text.Field("used_memory_index", store.IndexBytes);
        text.Field("used_memory_blocks", store.BlockBytes);
        text.Field("used_memory_trees", store.TreeBytes);
        text.Field("used_memory_tier", data.Tier?.BufferBytes ?? 0);
        text.Field("used_memory_connections", memory.Connections);
        text.Field("used_memory_managed_heap", memory.Heap);
        if (system > 0)
            text.Bytes("total_system_memory", system);
        text.Bytes("maxmemory", options.MaxMemoryBytes);
        text.Field("maxmemory_policy", OptionTable.Find("maxmemory-policy")!.Format(options));
        text.Field("maxmemory_store", store.LimitBytes);
        text.Field("allocator_allocated", memory.Live);
        text.Field("allocator_active", memory.Allocated);
        text.Field("allocator_resident", used);
        text.Field("allocator_frag_ratio", memory.FragmentationRatio);
        text.Field("allocator_frag_bytes", memory.Allocated - memory.Live);
        text.Field("allocator_rss_ratio", memory.CountedRatio);
        text.Field("allocator_rss_bytes", used - memory.Allocated);
        text.Field("rss_overhead_ratio", memory.ResidentRatio);
        text.Field("rss_overhead_bytes", memory.Resident - used);
        text.Field("mem_fragmentation_ratio", memory.ResidentRatio);
        text.Field("mem_fragmentation_bytes", memory.Resident - used);
        text.Field("mem_not_counted_for_evict", account.NotCountedBytes);
        WriteScripts(text);
        WriteMissingParts(text);
        WriteClients(text);
        text.Field("mem_aof_buffer", persistence.AppendOnly.Log?.StagedBytes ?? 0);
        text.Field("mem_allocator", "hybrid-log");
        text.Field("lazyfree_pending_objects", store.DroppedTrees);
        text.Field("lazyfreed_objects", store.FreedTrees);
        text.Field("store_live_record_bytes", store.LiveRecordBytes);
        text.Field("store_dead_record_bytes", store.DeadRecordBytes);
        text.Field("store_index_bytes", store.IndexBytes);
        text.Field("store_block_bytes", store.BlockBytes);
        text.Field("store_live_block_bytes", store.LiveBlockBytes);
        text.Field("store_live_tree_bytes", store.LiveTreeBytes);
        text.Field("store_retired_tree_bytes", store.RetiredTreeBytes);
        text.Field("managed_heap_bytes", GC.GetTotalMemory(forceFullCollection: false));
        text.Field("managed_heap_committed_bytes", GC.GetGCMemoryInfo().TotalCommittedBytes);
        text.Field("managed_heap_allocated_bytes", GC.GetTotalAllocatedBytes(precise: false));
        text.Field("managed_heap_collections", GC.CollectionCount(0));
        text.Field("managed_heap_full_collections", GC.CollectionCount(GC.MaxGeneration));
        text.Field("managed_heap_pauses_usec", (long)GC.GetTotalPauseDuration().TotalMicroseconds);
        text.Field("managed_heap_last_full_pause_usec", LastFullPauseUsec());
    }

    private void WriteScripts(InfoText text)
    {
        FunctionCatalog functions = scripts.Functions.Catalog;
        long machines = scripts.MachineBytes;
        text.Bytes("used_memory_lua", machines);
        text.Field("used_memory_vm_eval", machines);
        text.Field("used_memory_scripts_eval", scripts.Cache.Bytes);
        text.Field("number_of_cached_scripts", scripts.Cache.Count);
        text.Field("number_of_functions", functions.FunctionCount);
        text.Field("number_of_libraries", functions.Libraries.Count);
        text.Field("used_memory_vm_functions", functions.StateBytes);
        text.Bytes("used_memory_vm_total", machines + functions.StateBytes);
        text.Field("used_memory_functions", functions.Bytes);
        text.Bytes("used_memory_scripts", scripts.Cache.Bytes + functions.Bytes);
    }

    private void WriteClients(InfoText text)
    {
        long replicas = 0,
            others = 0;
        foreach (ClientSession client in clients.Connected)
        {
            if (client.Output.Class == OutputClass.Replica)
                replicas += client.MemoryBytes;
            else
                others += client.MemoryBytes;
        }

        long backlog = replication.Effects.BacklogMemoryBytes;
        text.Field("mem_replication_backlog", backlog);
        text.Field("mem_total_replication_buffers", backlog + (replication.Syncs.Transfer?.MemoryBytes ?? 0));
        text.Field("mem_clients_slaves", replicas);
        text.Field("mem_clients_normal", others);
    }

    // Without cluster and scripts none of these uses memory. They are what monitoring tools read; docs/info.md lists the rest.
    private static void WriteMissingParts(InfoText text)
    {
        foreach (string name in Missing)
            text.Field(name, 0);
    }

    // The longest pause of the last full collection, which may have been concurrent or not; 0 before the first.
    private static long LastFullPauseUsec()
    {
        GCMemoryInfo blocking = GC.GetGCMemoryInfo(GCKind.FullBlocking),
            background = GC.GetGCMemoryInfo(GCKind.Background);
        TimeSpan longest = TimeSpan.Zero;
        foreach (TimeSpan pause in (blocking.Index > background.Index ? blocking : background).PauseDurations)
            longest = pause > longest ? pause : longest;
        return (long)longest.TotalMicroseconds;
    }

    /// <summary>Percentage with two decimals.</summary>
    public static string Percent(long part, long whole) =>
        string.Create(CultureInfo.InvariantCulture, $"{(whole == 0 ? 0 : part * 100.0 / whole):F2}%");
}
