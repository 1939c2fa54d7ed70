// State owned by the one thread that currently holds the slot: its epoch, its chunk of the log, its free records, its counters.
using System.Runtime.InteropServices;
using Garnet.Store.Eviction;
using Garnet.Store.Index;
using Garnet.Store.Log;
using Garnet.Store.Records;

namespace Garnet.Store.Epochs;

/// <summary>
/// A slot in the epoch table. Only <see cref="Epoch"/> is shared; everything else is owned by the holder of the slot (other threads read
/// the counters without synchronization: the sums are recent, but exact only while all sessions are parked).
/// </summary>
internal sealed unsafe class EpochSlot : IDisposable
{
    private const int CountersBytes = 4096 + 4096 + 128;

    /// <summary>0 when free, otherwise the global epoch that its owner has seen.</summary>
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

    /// <summary>Latches of the current command; created when the slot is first entered.</summary>
    public HeldLatches? Held { get; private set; }

    /// <summary>The read path of the thread inside; created when the slot is first entered.</summary>
    public ReadPath? Reads { get; private set; }

    /// <summary>The memory that the thread inside may take; created when the slot is first entered.</summary>
    public MemoryCredit? Memory { get; private set; }

    /// <summary>Encodes the effects of removals.</summary>
    public EffectWriter Effects => field ??= new EffectWriter();

    /// <summary>Creates what the thread inside works with, when the slot is first entered.</summary>
    public void Prepare(HybridLogStore store)
    {
        Held = new HeldLatches(store.Index, store.Growth);
        Reads = new ReadPath(store, Held);
        Memory = new MemoryCredit(store, this);
    }

    /// <summary>Keys per physical database: 256 counters; a single slot's may be negative.</summary>
    public long* Keys => (long*)_counters;

    /// <summary>Keys with an expiry per physical database: 256 counters.</summary>
    public long* ExpiringKeys => (long*)(_counters + 2048);

    /// <summary>Size of live records in units of eight bytes.</summary>
    public ref long LiveUnits => ref *(long*)(_counters + 4096);

    /// <summary>Size of dead records in units of eight bytes.</summary>
    public ref long DeadUnits => ref *(long*)(_counters + 4104);

    /// <summary>Number of keys removed because they expired.</summary>
    public ref long Expired => ref *(long*)(_counters + 4112);

    /// <summary>Number of hash fields removed because they expired.</summary>
    public ref long ExpiredFields => ref *(long*)(_counters + 4120);

    /// <summary>Number of keys evicted.</summary>
    public ref long Evicted => ref *(long*)(_counters + 4136);

    /// <summary>Number of key changes made by commands.</summary>
    public ref long Changes => ref *(long*)(_counters + 4128);

    /// <summary>
    /// Sum of the expiries of <see cref="ExpiringKeys"/> per physical database, each converted by <see cref="StoreDatabases.DueOf"/>: 256
    /// sums.
    /// </summary>
    public long* ExpirySums => (long*)(_counters + 4224);

    /// <summary>Hashes with at least one expiring field, per physical database: 256 counters.</summary>
    public long* VolatileHashes => (long*)(_counters + 4224 + 2048);

    /// <inheritdoc/>
    public void Dispose()
    {
        Free.Dispose();
        NativeMemory.AlignedFree(_counters);
    }
}
