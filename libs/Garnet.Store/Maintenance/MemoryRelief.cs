// Evicts keys in the background where commands do not: after the limit was lowered, or when memory other than keys has grown. Used by
// maintenance, one thread at a time.
using System.Diagnostics;
using Garnet.Store.Eviction;

namespace Garnet.Store.Maintenance;

/// <summary>Works for a bounded time per round, so that threads waiting for maintenance or a barrier do not wait long.</summary>
internal sealed class MemoryRelief(HybridLogStore store)
{
    private const int EvictionsPerCommand = 16;

    // Writers free memory for themselves and reuse it: a shortage up to this part of the limit is left to them.
    private const int WritersShare = 64;
    private static readonly long MaxTicks = Stopwatch.Frequency / 1000;
    private KeyEvictor? _evictor;

    /// <summary>
    /// Evicts while usage exceeds its target, or while pages must be freed and none is worth emptying; true when more is due. The session
    /// must be in a batch.
    /// </summary>
    /// <param name="session">The maintenance's own session.</param>
    /// <param name="arePagesFull">Whether the compactor has found no page worth emptying.</param>
    public bool Run(StoreSession session, bool arePagesFull)
    {
        MemoryBudget budget = store.Budget;
        long excess = budget.Excess(0);
        if (excess <= 0)
            budget.RecordExceeded(false);
        if (store.Tier is not { IsTaking: true } && (store.Eviction.Policy == EvictionPolicy.NoEviction || store.Holds.Evicted()))
            return false;
        if (budget.HasWriters)
            return excess > budget.LimitBytes / WritersShare && EvictWhileExceeded(session);
        if (excess > 0)
            return EvictWhileExceeded(session);
        return arePagesFull && budget.IsTightByPages && TryEvictSome(session);
    }

    private bool EvictWhileExceeded(StoreSession session)
    {
        long start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetTimestamp() - start < MaxTicks)
        {
            if (!TryEvictSome(session))
                return false;
            session.EndCommand();
            if (store.Budget.Excess(0) <= 0)
                return false;
        }

        return true;
    }

    private bool TryEvictSome(StoreSession session)
    {
        _evictor ??= new KeyEvictor(store);
        for (int i = 0; i < EvictionsPerCommand; i++)
        {
            if (_evictor.TryEvict(session, store.Eviction) == 0)
                return false;
        }

        return true;
    }
}
