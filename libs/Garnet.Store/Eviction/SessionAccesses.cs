// How a session records that keys are used. Part of a StoreSession; used by its thread.
using Garnet.Store.Records;

namespace Garnet.Store.Eviction;

/// <summary>What is written into a record's access byte, taken from the clock and the policy at each batch.</summary>
internal struct SessionAccesses(HybridLogStore store)
{
    private const int CountedAccess = -1;

    /// <summary>Whether using a key counts as an access (on by default).</summary>
    public bool Touches { get; set; } = true;

    /// <summary>The access byte of a record used just now; -1 under policies that count frequencies instead.</summary>
    public int Stamp { readonly get; private set; }

    /// <summary>The bits of an access byte that are compared to <see cref="Stamp"/>.</summary>
    public byte Mask { readonly get; private set; } = byte.MaxValue;

    /// <summary>
    /// Writes the current stamp into a record, or counts the use; with or without a latch, while the epoch keeps the record in place.
    /// </summary>
    public readonly unsafe void Touch(byte* record)
    {
        if (Stamp >= 0)
        {
            int uses = Mask == byte.MaxValue ? 0 : UseCount.OneMore(record[RecordHeader.AccessOffset]);
            record[RecordHeader.AccessOffset] = (byte)(uses | Stamp);
            store.Accesses.MarkUsed();
        }
        else
        {
            AccessFrequency.Count(record, store.Eviction.FrequencyLogFactor);
        }
    }

    /// <summary>Counts one more use under policies that count uses; the record may be null.</summary>
    public readonly unsafe void UseAgain(byte* record)
    {
        if (record != null && Stamp < 0 && Touches)
            Touch(record);
    }

    /// <summary>The access byte for a new record. A recently evicted key counts as used once.</summary>
    public readonly byte StampNew(ulong salted)
    {
        if (Stamp < 0)
            return AccessFrequency.First;

        store.Accesses.MarkUsed();
        int uses = Mask != byte.MaxValue && store.Budget.Evicted.Has(salted) ? UseCount.OneMore(0) : 0;
        return (byte)(uses | Stamp);
    }

    /// <summary>The access byte of a key that was last used the given number of milliseconds ago.</summary>
    public readonly byte ByteOf(long idleMs, StoreSession session) =>
        store.Accesses.StampOf(idleMs, session.NowMs == 0 ? store.Clock.ReadRunningMs() : session.NowMs);

    /// <summary>Takes the current stamp from the clock.</summary>
    internal void Refresh()
    {
        Stamp = store.Eviction.CountsFrequency ? CountedAccess : store.Accesses.Now;
        Mask = store.Accesses.Mask;
    }
}
