// The memory that one thread may write before it checks the limit again. Owned by an epoch slot, used by the thread inside.
using Garnet.Store.Epochs;

namespace Garnet.Store.Eviction;

/// <summary>Keeps the check before each write to a subtraction, and evicts keys when memory is short.</summary>
internal sealed class MemoryCredit(HybridLogStore store, EpochSlot slot)
{
    private const int EvictedAheadBytes = 32 * 1024;
    private const int EvictedAheadShift = 12;
    private readonly MemoryBudget _budget = store.Budget;
    private KeyEvictor? _evictor;
    private long _bytes;

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

    private bool TryReserveSlow(long bytes)
    {
        _bytes = 0;
        _version = _budget.Version;
        _budget.Look();
        if (_budget.LimitBytes is > 0 and long limit && bytes > limit)
            return false;

        long excess = _budget.Excess(bytes);
        if (excess <= 0)
        {
            _budget.RecordExceeded(false);
            _bytes = MemoryBudget.CreditFor(-excess);
            return true;
        }

        StoreSession session = slot.Reads!.Session;
        if (slot.Held!.Count != 0 || session.Barrier.IsExclusive)
            return store.Eviction.Policy != EvictionPolicy.NoEviction || store.Tier is { IsTaking: true };

        // Frees slightly more than needed, so that the next commands need not check.
        long ahead = Math.Min(EvictedAheadBytes, _budget.LimitBytes >> EvictedAheadShift);
        EvictionOutcome outcome = (_evictor ??= new KeyEvictor(store)).MakeRoom(session, bytes, ahead);
        _bytes = outcome == EvictionOutcome.Done ? Math.Clamp(-_budget.Excess(bytes), 0, ahead) : 0;
        _budget.RecordExceeded(outcome != EvictionOutcome.Done);
        return outcome != EvictionOutcome.Exhausted || _budget.Excess(bytes) <= 0;
    }
}
