// The figures of INFO memory, MEMORY STATS and MEMORY DOCTOR at one moment. Immutable.
using Garnet.Engine.Counters;
using Garnet.Server.Eviction;
using Garnet.Store;

namespace Garnet.Server.Statistics;

/// <summary>
/// Bytes by purpose. In place of Valkey's allocator there is the store: its used bytes, its allocated bytes, and the resident memory of the
/// whole process.
/// </summary>
internal readonly record struct MemoryFigures
{
    /// <summary>
    /// All counted memory; the sum of <see cref="Allocated"/>, <see cref="Connections"/>, <see cref="Heap"/> and <see cref="Scripts"/>.
    /// </summary>
    public long Used => Allocated + Connections + Heap + Scripts;

    /// <summary>The peak of <see cref="Used"/>.</summary>
    public required long Peak { get; init; }

    /// <summary>Memory allocated by the store.</summary>
    public required long Allocated { get; init; }

    /// <summary>The part of it in use.</summary>
    public required long Live { get; init; }

    /// <summary>The part of it for keys and their values, including their records.</summary>
    public required long Data { get; init; }

    /// <summary>Buffers of connections.</summary>
    public required long Connections { get; init; }

    /// <summary>The managed heap, if the process belongs to the server alone.</summary>
    public required long Heap { get; init; }

    /// <summary>Scripts and functions, if the managed heap does not count as a whole.</summary>
    public required long Scripts { get; init; }

    /// <summary>Resident memory of the process.</summary>
    public required long Resident { get; init; }

    /// <summary>Ratio of allocated to used memory of the store.</summary>
    public double FragmentationRatio => Ratio(Allocated, Live);

    /// <summary>Ratio of counted memory to the store's allocated memory.</summary>
    public double CountedRatio => Ratio(Used, Allocated);

    /// <summary>Ratio of resident to counted memory.</summary>
    public double ResidentRatio => Ratio(Resident, Used);

    /// <summary>Measures a server, and updates the peak.</summary>
    public static MemoryFigures Of(HybridLogStore data, MemoryAccount memory, ServerStatistics statistics)
    {
        StoreStatistics store = data.Statistics;
        MemoryFigures figures = new()
        {
            Allocated = store.AllocatedBytes,
            Live = store.LiveBytes,
            Data = store.LiveRecordBytes + store.LiveBlockBytes + store.LiveTreeBytes,
            Connections = memory.ConnectionBytes,
            Heap = memory.OwnsProcess ? MemoryAccount.HeapBytes : 0,
            Scripts = memory.ScriptBytes,
            Resident = ResidentMemory.Bytes,
            Peak = 0,
        };
        statistics.RecordMemory(figures.Used);
        return figures with { Peak = statistics.PeakMemoryBytes };
    }

    private static double Ratio(long more, long less) => less == 0 ? 1 : (double)more / less;
}
