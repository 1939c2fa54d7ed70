// What one thread at a time owns while it is inside the store: its epoch, its piece of the log, its free records, its counters.
using System.Runtime.InteropServices;
using Garnet.Store.Eviction;
using Garnet.Store.Index;
using Garnet.Store.Log;
using Garnet.Store.Records;

namespace Garnet.Store.Epochs;

/// <summary>
/// A place in the epoch table. Only <see cref="Epoch"/> is shared; everything else belongs to whoever holds the slot
/// (counters are read by others without order: sums are recent, not exact, unless everybody is parked).
/// </summary>
internal sealed unsafe class EpochSlot : IDisposable
{
    private const int CountersBytes = 4096 + 4096 + 128;

    /// <summary>0 when free; else the global epoch its owner has seen.</summary>
    public PaddedLong Epoch;

    private readonly byte* _counters = (byte*)NativeMemory.AlignedAlloc(CountersBytes, 128);

    public EpochSlot(int number)
    {
        Number = number;
        NativeMemory.Clear(_counters, CountersBytes);
    }

    /// <summary>Position in the table.</summary>
    public int Number { get; }

    /// <summary>The chunk of the log this slot allocates from.</summary>
    public LogChunk Chunk;

    /// <summary>Dead records ready for reuse.</summary>
    public FreeRecords Free { get; } = new();

    /// <summary>Latches of the command under way; made when the slot is first entered.</summary>
    public HeldLatches? Held { get; set; }

    /// <summary>Look-ups of whoever is inside; made when the slot is first entered.</summary>
    public ReadPath? Reads { get; set; }

    /// <summary>Chooses keys that make room; made when there is first none.</summary>
    public KeyEvictor? Evictor { get; set; }

    /// <summary>Bytes that may be written before memory is looked at again.</summary>
    public long Credit { get; set; }

    /// <summary>Which limit the credit was given under.</summary>
    public int CreditVersion { get; set; }

    /// <summary>Keys per physical database: 256 numbers; a single one may be negative.</summary>
    public long* Keys => (long*)_counters;

    /// <summary>Keys with an expiry per physical database: 256 numbers.</summary>
    public long* ExpiringKeys => (long*)(_counters + 2048);

    /// <summary>Units of eight bytes in live records.</summary>
    public ref long LiveUnits => ref *(long*)(_counters + 4096);

    /// <summary>Units of eight bytes in dead records.</summary>
    public ref long DeadUnits => ref *(long*)(_counters + 4104);

    /// <summary>Keys removed because they expired.</summary>
    public ref long Expired => ref *(long*)(_counters + 4112);

    /// <summary>Fields of hashes removed because they expired.</summary>
    public ref long ExpiredFields => ref *(long*)(_counters + 4120);

    /// <summary>Keys removed to make room.</summary>
    public ref long Evicted => ref *(long*)(_counters + 4136);

    /// <summary>Changes of keys that commands made.</summary>
    public ref long Changes => ref *(long*)(_counters + 4128);

    /// <summary>
    /// What the expiries of <see cref="ExpiringKeys"/> come to, per physical database, by <see cref="HybridLogStore.DueOf"/>: 256 numbers.
    /// </summary>
    public long* ExpirySums => (long*)(_counters + 4224);

    /// <summary>Hashes with a field that expires, per physical database: 256 numbers.</summary>
    public long* VolatileHashes => (long*)(_counters + 4224 + 2048);

    /// <inheritdoc/>
    public void Dispose()
    {
        Free.Dispose();
        NativeMemory.AlignedFree(_counters);
    }
}
