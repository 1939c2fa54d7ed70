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

    /// <summary>Evicts while usage exceeds its target; true when more is due. The session must be in a batch.</summary>
    public bool Run(StoreSession session)
    {
        EvictionSettings settings = store.Eviction;
        if (store.Budget.Excess(0) <= 0)
        {
            store.Budget.NoteExceeded(false);
            return false;
        }

        if (
            settings.Policy == EvictionPolicy.NoEviction
            || (store.Budget.HasWriters && store.Budget.Excess(0) <= store.Budget.LimitBytes / WritersShare)
        )
        {
            return false;
        }

        _evictor ??= new KeyEvictor(store);
        long start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetTimestamp() - start < MaxTicks)
        {
            for (int i = 0; i < EvictionsPerCommand; i++)
            {
                if (_evictor.TryEvict(session, settings) == 0)
                {
                    return false;
                }
            }

            session.EndCommand();
            if (store.Budget.Excess(0) <= 0)
            {
                return false;
            }
        }

        return true;
    }
}
