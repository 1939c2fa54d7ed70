// Remembers recently evicted keys by a few bits of their hashes. Entries are read and written by any thread without a latch; only
// maintenance allocates the table.
using System.Runtime.CompilerServices;
using Garnet.Store.Memory;

namespace Garnet.Store.Eviction;

/// <summary>
/// Corresponds to the ghost queue of S3-FIFO (Yang et al. 2023): a key that returns soon after its eviction was worth more than estimated.
/// There is one two-byte entry per key that fits in memory, indexed by hash and overwritten by the next key with the same index; a false
/// match (one in 65,000) keeps a key somewhat longer. The table exists only while the policy needs it.
/// </summary>
internal sealed class GhostFilter(HybridLogStore store)
{
    private const int MinMarks = 1 << 12;
    private const int MaxMarks = 1 << 28;
    private ushort[]? _marks;

    /// <summary>Size of the table.</summary>
    public long Bytes => (Volatile.Read(ref _marks)?.Length ?? 0) * (long)sizeof(ushort);

    /// <summary>Records that a key with this hash was evicted.</summary>
    public void Add(ulong salted)
    {
        ushort[]? marks = Volatile.Read(ref _marks);
        if (marks is not null)
        {
            ulong mixed = SipHash.Mix(salted);
            marks[mixed & (uint)(marks.Length - 1)] = MarkOf(mixed);
        }
    }

    /// <summary>Whether a key with this hash was evicted recently.</summary>
    public bool Has(ulong salted)
    {
        ushort[]? marks = Volatile.Read(ref _marks);
        if (marks is null)
            return false;

        ulong mixed = SipHash.Mix(salted);
        return marks[mixed & (uint)(marks.Length - 1)] == MarkOf(mixed);
    }

    /// <summary>
    /// Adapts the table to the number of keys, or frees it when the policy does not need it. Its contents are lost when its size changes.
    /// Called by maintenance.
    /// </summary>
    public void Fit()
    {
        if (!store.Eviction.CountsUses || store.Budget.TurnoverMs == long.MaxValue)
        {
            Volatile.Write(ref _marks, null);
            return;
        }

        long keys = 0;
        for (int database = 0; database < store.Databases.Count; database++)
            keys += store.Databases.KeyCount(database);

        long length = Bytes / sizeof(ushort);
        if (keys > length * 2 || keys < length / 8 || length == 0)
        {
            long wanted = (long)System.Numerics.BitOperations.RoundUpToPowerOf2((ulong)Math.Clamp(keys, MinMarks, MaxMarks));
            if (wanted != length)
                Volatile.Write(ref _marks, new ushort[wanted]);
        }
    }

    // Zero means an empty entry.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ushort MarkOf(ulong mixed) => (ushort)((mixed >> 48) | 1);
}
