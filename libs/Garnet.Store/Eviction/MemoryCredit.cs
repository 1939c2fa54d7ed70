// The memory that one thread may write before it checks the limit again. Owned by an epoch slot, used by the thread inside.
using Garnet.Store.Epochs;
using Garnet.Store.Tiering;

namespace Garnet.Store.Eviction;

/// <summary>Keeps the check before each write to a subtraction, and evicts keys when memory is short.</summary>
internal sealed class MemoryCredit(HybridLogStore store, EpochSlot slot)
{
    // Without having to evict, a thread may write so much of the remaining space before it checks again.
    private const long MaxCreditBytes = 64 * 1024;
    private const int CreditShare = 16;
    private const int EvictedAheadBytes = 32 * 1024;
    private const int EvictedAheadShift = 12;
    private readonly MemoryBudget _budget = store.Budget;
    private KeyEvictor? _evictor;
    private long _bytes;

    // Bytes of records that this session's publishing has left to it, and for which it was not granted credit yet.
    private long _left;

    // The version of the limit under which the credit was granted.
    private int _version;

    /// <summary>
    /// Reserves memory for a write of about <paramref name="bytes"/>, evicting keys if necessary; false when memory is exhausted. Called in
    /// a batch before the first latch; inside of a transaction, which holds latches, nothing is evicted.
    /// </summary>
    public bool TryReserve(long bytes)
    {
        if (_budget.LimitBytes == 0)
            return true;

        _bytes -= bytes;
        return (_bytes >= 0 && _version == _budget.Version) || TryReserveSlow(bytes);
    }

    /// <summary>
    /// Whether a write of this size must wait until pages have been freed: not if values that have gone to disk leave as much to this
    /// session. Called in a batch, without a latch.
    /// </summary>
    public bool MustWait(long bytes) =>
        _budget.MustWait(bytes) && !(store.Tier is { } tier && (_bytes >= bytes || TryPublish(tier, bytes)));

    /// <summary>
    /// For writes that are never refused, such as those of a snapshot that is loaded: lets values move to disk, and returns what to wait
    /// for outside of the batch before this is asked again; null when the write may go on. Without a tier it may always.
    /// </summary>
    /// <param name="bytes">About what is written.</param>
    /// <param name="patience">The writer's own. Once nothing leaves memory any more, it waits no longer.</param>
    public Task? Relief(long bytes, ref ReliefPatience patience)
    {
        if (store.Tier is not { } tier)
            return null;
        TryReserve(bytes);
        if (!MustWait(bytes))
        {
            patience = default;
            return null;
        }

        return patience.IsLeft(tier.Statistics.MovedOut, _budget.AllocatedBytes) ? _budget.WaitAsync() : null;
    }

    private bool TryReserveSlow(long bytes)
    {
        _bytes = 0;
        _version = _budget.Version;
        _budget.Look();
        if (_budget.LimitBytes is > 0 and long limit && bytes > limit)
            return false;

        StoreSession session = slot.Reads!.Session;
        bool isBound = slot.Held!.Count != 0 || session.Barrier.IsExclusive;
        // With less than it is going to use, it would take new pages, and others would have to be emptied.
        long ahead = Math.Min(EvictedAheadBytes, _budget.LimitBytes >> EvictedAheadShift);
        if (store.Tier is { } tier && !isBound)
            TryPublish(tier, bytes + ahead);
        long excess = _budget.Excess(bytes);
        if (excess <= 0)
        {
            _budget.RecordExceeded(false);
            Grant(bytes, Math.Min(store.Tier is { LeavingBytes: > 0 } ? ahead : MaxCreditBytes, -excess / CreditShare));
            return true;
        }

        if (isBound)
            return store.Eviction.Policy != EvictionPolicy.NoEviction || store.Tier is { IsTaking: true };

        // Frees slightly more than needed, so that the next commands need not check.
        EvictionOutcome outcome = (_evictor ??= new KeyEvictor(store)).MakeRoom(session, bytes, ahead);
        long credit = outcome == EvictionOutcome.Done ? -_budget.Excess(bytes) : _left - bytes;
        Grant(bytes, Math.Clamp(credit, 0, ahead));
        _budget.RecordExceeded(outcome != EvictionOutcome.Done);
        return outcome != EvictionOutcome.Exhausted || _budget.Excess(bytes) <= 0;
    }

    private void Grant(long bytes, long credit)
    {
        _bytes = credit;
        _left = Math.Max(0, _left - bytes - credit);
    }

    private bool TryPublish(ColdTier tier, long bytes)
    {
        while (_left < bytes && tier.Publish(slot.Reads!.Session, out long more))
            _left += more;
        return _left >= bytes;
    }
}
