// What INFO memory, MEMORY STATS and MEMORY DOCTOR tell, taken at one moment. Immutable.
using Garnet.Server.Eviction;
using Garnet.Server.Sessions;
using Garnet.Store;

namespace Garnet.Server.Statistics;

/// <summary>
/// Bytes by what they are for. Where Valkey has an allocator we have the store: what is in use of it, what it took, and what the process
/// has behind both and all the rest.
/// </summary>
internal readonly record struct MemoryFigures
{
    /// <summary>Everything that counts; the sum of <see cref="Allocated"/>, <see cref="Connections"/> and <see cref="Heap"/>.</summary>
    public long Used => Allocated + Connections + Heap;

    /// <summary>The most that <see cref="Used"/> ever was.</summary>
    public required long Peak { get; init; }

    /// <summary>What the store has taken.</summary>
    public required long Allocated { get; init; }

    /// <summary>What of that is in use.</summary>
    public required long Live { get; init; }

    /// <summary>What of that is keys and their values, with the records around them.</summary>
    public required long Data { get; init; }

    /// <summary>Buffers of connections.</summary>
    public required long Connections { get; init; }

    /// <summary>The managed heap, where the process is the server's own.</summary>
    public required long Heap { get; init; }

    /// <summary>What the system has put behind the process.</summary>
    public required long Resident { get; init; }

    /// <summary>How much more the store took than it uses.</summary>
    public double FragmentationRatio => Ratio(Allocated, Live);

    /// <summary>How much more counts than what the store took.</summary>
    public double CountedRatio => Ratio(Used, Allocated);

    /// <summary>How much more the process has than what counts.</summary>
    public double ResidentRatio => Ratio(Resident, Used);

    /// <summary>Looks at a server, and notes the peak.</summary>
    public static MemoryFigures Of(RespServer server)
    {
        StoreStatistics store = server.Store.Statistics;
        MemoryAccount memory = server.Memory;
        MemoryFigures figures = new()
        {
            Allocated = store.AllocatedBytes,
            Live = store.LiveBytes,
            Data = store.LiveRecordBytes + store.LiveBlockBytes + store.LiveTreeBytes,
            Connections = memory.ConnectionBytes,
            Heap = memory.OwnsProcess ? MemoryAccount.HeapBytes : 0,
            Resident = ResidentMemory.Bytes,
            Peak = 0,
        };
        server.Statistics.NoteMemory(figures.Used);
        return figures with { Peak = server.Statistics.PeakMemoryBytes };
    }

    private static double Ratio(long more, long less) => less == 0 ? 1 : (double)more / less;
}
