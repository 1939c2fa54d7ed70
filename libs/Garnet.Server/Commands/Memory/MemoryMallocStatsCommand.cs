// MEMORY MALLOC-STATS
using System.Globalization;
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Server.Commands.Memory;

/// <summary>Reports the memory of the process: the store's native memory, and the managed heap by generation.</summary>
internal static class MemoryMallocStatsCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "MALLOC-STATS",
        Arity = 2,
        Flags = CommandFlags.Loading,
        Group = CommandGroup.Server,
        Since = "4.0.0",
        Tips = ["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
        Handler = Execute,
    };

    private static readonly string[] Generations = ["generation 0", "generation 1", "generation 2", "large objects", "pinned objects"];

    private static void Execute(ref CommandContext context)
    {
        StoreStatistics store = context.Store.Store.Statistics;
        GCMemoryInfo heap = GC.GetGCMemoryInfo();
        StringBuilder text = new();
        Add(text, "store, all", store.AllocatedBytes);
        Add(text, "store, index", store.IndexBytes);
        Add(text, "store, live records", store.LiveRecordBytes);
        Add(text, "store, dead records", store.DeadRecordBytes);
        Add(text, "store, blocks", store.BlockBytes);
        Add(text, "managed heap, committed", heap.TotalCommittedBytes);
        Add(text, "managed heap, free", heap.FragmentedBytes);
        for (int i = 0; i < Math.Min(Generations.Length, heap.GenerationInfo.Length); i++)
            Add(text, "managed heap, " + Generations[i], heap.GenerationInfo[i].SizeAfterBytes);
        Add(text, "process, resident", Environment.WorkingSet);
        context.Reply.WriteVerbatim("txt"u8, Encoding.ASCII.GetBytes(text.ToString()));
    }

    private static void Add(StringBuilder text, string what, long bytes) =>
        text.Append(CultureInfo.InvariantCulture, $"{what + ":", -32}{bytes, 16}\n");
}
