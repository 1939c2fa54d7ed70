// The logical databases: their keys counted, swapped and emptied. Counting from any thread; changes take the barrier.
using Garnet.Store.Changes;
using Garnet.Store.Epochs;
using Garnet.Store.Index;

namespace Garnet.Store;

/// <summary>Logical databases over physical ones; swapping and emptying take constant time.</summary>
internal sealed class StoreDatabases(HybridLogStore store, int databases, ulong seed)
{
    private const long MaxDueMs = 1L << 41;
    private readonly long _builtAtMs = store.Clock.ReadMs();

    /// <summary>Number of logical databases.</summary>
    public int Count => Map.Databases;

    /// <summary>Which physical database each logical one is, and the hashes of keys.</summary>
    public DatabaseMap Map { get; } = new(databases, seed);

    /// <summary>Number of keys of a logical database (including expired ones not yet removed, like Valkey's DBSIZE).</summary>
    public long KeyCount(int database) => Math.Max(0, KeysOfPhysical(Map.PhysicalOf(database)));

    /// <summary>Number of keys of a logical database that have an expiry.</summary>
    public unsafe long ExpiringKeyCount(int database) =>
        Math.Max(0, SumOfSlots(Map.PhysicalOf(database), static (slot, physical) => Volatile.Read(ref slot.ExpiringKeys[physical])));

    /// <summary>Number of hashes of a logical database with at least one field that has an expiry, whether due or not.</summary>
    public unsafe long VolatileHashCount(int database) =>
        Math.Max(0, SumOfSlots(Map.PhysicalOf(database), static (slot, physical) => Volatile.Read(ref slot.VolatileHashes[physical])));

    /// <summary>
    /// Mean remaining time to live in milliseconds of a logical database's keys that have an expiry; 0 when there are none.
    /// </summary>
    public unsafe long MeanTimeToLiveMs(int database)
    {
        long keys = ExpiringKeyCount(database);
        long sum = SumOfSlots(Map.PhysicalOf(database), static (slot, physical) => Volatile.Read(ref slot.ExpirySums[physical]));
        return keys == 0 ? 0 : Math.Max(0, (sum / keys) + _builtAtMs - store.Clock.ReadMs());
    }

    /// <summary>
    /// An expiry as a distance from the store's creation that can be summed; more than seventy years away counts as seventy.
    /// </summary>
    public long DueOf(long expiresAtMs) => Math.Clamp(expiresAtMs - _builtAtMs, -MaxDueMs, MaxDueMs);

    /// <summary>Swaps the contents of two databases in constant time, while no other session is inside a command.</summary>
    public void Swap(StoreSession caller, int a, int b)
    {
        ArgumentNullException.ThrowIfNull(caller);
        caller.RunExclusive(() =>
        {
            if (a != b)
            {
                store.Watches.TouchDatabase(caller, a, b);
                store.Watches.TouchDatabase(caller, b, a);
                Map.Swap(a, b);
                foreach (IKeyChangeObserver observer in store.Changes.Observers)
                    observer.OnSwapped(a, b);
                store.Watches.Rekey(a);
                store.Watches.Rekey(b);
            }

            // As in Valkey, this also applies to a database swapped with itself.
            caller.Slot.Changes++;
        });
    }

    /// <summary>
    /// Empties a database in constant time, while no other session is inside a command; maintenance frees its memory afterwards.
    /// </summary>
    public void Flush(StoreSession caller, int database)
    {
        ArgumentNullException.ThrowIfNull(caller);
        caller.RunExclusive(() =>
        {
            FlushExclusive(caller, database);
            NotifyEmptied();
        });
    }

    /// <summary>Empties all databases in constant time, while no other session is inside a command.</summary>
    public void FlushAll(StoreSession caller)
    {
        ArgumentNullException.ThrowIfNull(caller);
        caller.RunExclusive(() =>
        {
            for (int database = 0; database < Count; database++)
                FlushExclusive(caller, database);
            NotifyEmptied();
        });
    }

    /// <summary>
    /// Prepares a second set of databases, which sessions fill under the numbers from <see cref="Count"/> on and no one sees, until <see
    /// cref="Exchange"/> or <see cref="GiveUpPrepared"/>. False when there are too many databases for that. Used by one thread at a time.
    /// </summary>
    public bool TryPrepare(StoreSession caller)
    {
        bool isPrepared = false;
        caller.RunExclusive(() =>
        {
            isPrepared = Map.TryPrepare();
            if (isPrepared || !Map.HasFlushed)
                return;
            store.Maintenance.ReclaimFlushedDatabases(caller);
            isPrepared = Map.TryPrepare();
        });
        return isPrepared;
    }

    /// <summary>
    /// Replaces the contents of all databases by what was prepared, in constant time, while no other session is inside a command.
    /// </summary>
    public void Exchange(StoreSession caller) =>
        caller.RunExclusive(() =>
        {
            for (int database = 0; database < Count; database++)
            {
                store.Watches.TouchDatabase(caller, database, Count + database);
                if (KeyCount(database) != 0)
                {
                    foreach (IKeyChangeObserver observer in store.Changes.Observers)
                        observer.OnFlushed(database);
                }

                Map.Exchange(database);
                store.Watches.Rekey(database);
            }

            NotifyEmptied();
        });

    /// <summary>Drops what was prepared; maintenance frees its memory afterwards.</summary>
    public void GiveUpPrepared(StoreSession caller) => caller.RunExclusive(Map.GiveUpPrepared);

    /// <summary>Number of keys of a physical database; exact only while no thread changes it.</summary>
    public unsafe long KeysOfPhysical(int physical) =>
        SumOfSlots(physical, static (slot, physical) => Volatile.Read(ref slot.Keys[physical]));

    // A key may be added through one slot and removed through another, so only the sum over all slots is meaningful.
    private long SumOfSlots(int physical, Func<EpochSlot, int, long> countOf)
    {
        long sum = 0;
        foreach (EpochSlot slot in store.Epochs.Slots)
            sum += countOf(slot, physical);

        return sum;
    }

    private void NotifyEmptied()
    {
        foreach (IKeyChangeObserver observer in store.Changes.Observers)
            observer.OnEmptied();
    }

    private void FlushExclusive(StoreSession caller, int database)
    {
        if (KeyCount(database) == 0)
            return;

        store.Watches.TouchDatabase(caller, database, -1);
        foreach (IKeyChangeObserver observer in store.Changes.Observers)
            observer.OnFlushed(database);
        caller.Slot.Changes += KeyCount(database);
        while (!Map.TryFlush(database))
        {
            // More flushes than free physical databases since maintenance last ran: this caller does the reclaiming.
            store.Maintenance.ReclaimFlushedDatabases(caller);
        }

        store.Watches.Rekey(database);
    }
}
