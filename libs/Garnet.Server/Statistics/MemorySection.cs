// INFO memory. Stateless; any thread.
using System.Globalization;
using Garnet.Server.Configuration;
using Garnet.Server.Sessions;
using Garnet.Store;

namespace Garnet.Server.Statistics;

/// <summary>
/// What the data and the process take. <c>used_memory</c> is what the store holds of the system's memory for data; the managed heap,
/// which holds connections and the server itself, has fields of its own.
/// </summary>
internal static class MemorySection
{
    private static readonly long SystemBytes = ReadSystemBytes();

    /// <summary>Writes the fields.</summary>
    public static void Write(InfoText text, RespServer server)
    {
        GarnetOptions options = server.Configuration.Current;
        StoreStatistics store = server.Store.Statistics;
        long used = store.AllocatedBytes;
        server.Statistics.NoteMemory(used);
        long peak = server.Statistics.PeakMemoryBytes;
        long data = store.LiveRecordBytes + store.BlockBytes;
        long resident = Environment.WorkingSet;
        GCMemoryInfo heap = GC.GetGCMemoryInfo();
        text.Bytes("used_memory", used);
        text.Bytes("used_memory_rss", resident);
        text.Bytes("used_memory_peak", peak);
        text.Field("used_memory_peak_perc", Percent(used, peak));
        text.Field("used_memory_overhead", used - data);
        text.Field("used_memory_dataset", data);
        text.Field("used_memory_dataset_perc", Percent(data, used));
        if (SystemBytes > 0)
            text.Bytes("total_system_memory", SystemBytes);
        text.Bytes("maxmemory", options.MaxMemoryBytes);
        text.Field("maxmemory_policy", OptionTable.Find("maxmemory-policy")!.Format(options));
        text.Field("mem_fragmentation_ratio", used == 0 ? 0 : (double)resident / used);
        text.Field("mem_fragmentation_bytes", resident - used);
        text.Field("store_index_bytes", store.IndexBytes);
        text.Field("store_dead_record_bytes", store.DeadRecordBytes);
        text.Field("store_block_bytes", store.BlockBytes);
        text.Field("managed_heap_bytes", GC.GetTotalMemory(forceFullCollection: false));
        text.Field("managed_heap_committed_bytes", heap.TotalCommittedBytes);
        text.Field("managed_heap_collections", GC.CollectionCount(0));
    }

    /// <summary>Percentage with two decimals.</summary>
    public static string Percent(long part, long whole) =>
        string.Create(CultureInfo.InvariantCulture, $"{(whole == 0 ? 0 : part * 100.0 / whole):F2}%");

    private static long ReadSystemBytes()
    {
        const string File = "/proc/meminfo";
        if (!System.IO.File.Exists(File))
            return 0;
        string? total = System.IO.File.ReadLines(File).FirstOrDefault(line => line.StartsWith("MemTotal:", StringComparison.Ordinal));
        string[]? words = total?.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return words is [_, var kibibytes, ..] && long.TryParse(kibibytes, CultureInfo.InvariantCulture, out long value) ? value * 1024 : 0;
    }
}
