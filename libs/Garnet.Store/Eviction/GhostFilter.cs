// Remembers which keys were evicted lately, by a few bits of their hashes. Marks are read and written by any thread without a latch;
// maintenance alone makes the table.
using System.Runtime.CompilerServices;
using Garnet.Store.Memory;

namespace Garnet.Store.Eviction;

/// <summary>
/// What S3-FIFO (Yang et al. 2023) keeps as its ghost queue: a key that comes back soon after it went was worth more than it was taken for.
/// One mark of two bytes for each key there is room for, in its hash's place, where the next key of that place writes over it; a wrong
/// match (one in 65,000) makes a key stay somewhat longer. Exists only while the policy asks for it.
/// </summary>
internal sealed class GhostFilter(HybridLogStore store)
{
    private const int MinMarks = 1 << 12;
    private const int MaxMarks = 1 << 28;
    private ushort[]? _marks;

    /// <summary>Bytes of the table.</summary>
    public long Bytes => (Volatile.Read(ref _marks)?.Length ?? 0) * (long)sizeof(ushort);

    /// <summary>Notes that a key of such a hash was evicted.</summary>
    public void Add(ulong salted)
    {
        ushort[]? marks = Volatile.Read(ref _marks);
        if (marks != null)
        {
            ulong mixed = SipHash.Mix(salted);
            marks[mixed & (uint)(marks.Length - 1)] = MarkOf(mixed);
        }
    }

    /// <summary>Whether a key of such a hash was evicted lately.</summary>
    public bool Has(ulong salted)
    {
        ushort[]? marks = Volatile.Read(ref _marks);
        if (marks == null)
        {
            return false;
        }

        ulong mixed = SipHash.Mix(salted);
        return marks[mixed & (uint)(marks.Length - 1)] == MarkOf(mixed);
    }

    /// <summary>
    /// Makes the table fit the number of keys, or gives it up when the policy does not need it. What it knew goes with its size. Called by
    /// maintenance.
    /// </summary>
    public void Fit()
    {
        if (!store.Eviction.CountsUses || store.Budget.TurnoverMs == long.MaxValue)
        {
            Volatile.Write(ref _marks, null);
            return;
        }

        long keys = 0;
        for (int database = 0; database < store.Databases; database++)
        {
            keys += store.KeyCount(database);
        }

        long length = Bytes / sizeof(ushort);
        if (keys > length * 2 || keys < length / 8 || length == 0)
        {
            long wanted = (long)System.Numerics.BitOperations.RoundUpToPowerOf2((ulong)Math.Clamp(keys, MinMarks, MaxMarks));
            if (wanted != length)
            {
                Volatile.Write(ref _marks, new ushort[wanted]);
            }
        }
    }

    // Zero stands for none.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ushort MarkOf(ulong mixed) => (ushort)((mixed >> 48) | 1);
}
