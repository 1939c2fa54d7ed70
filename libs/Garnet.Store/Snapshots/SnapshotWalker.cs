// Flips versions and walks the pages for records not written since. Begin and End run under the barrier; the walk uses one thread.
using Garnet.Store.Log;
using Garnet.Store.Maintenance;
using Garnet.Store.Records;

namespace Garnet.Store.Snapshots;

/// <summary>The store's side of snapshots.</summary>
internal sealed unsafe class SnapshotWalker(HybridLogStore store)
{
    private const int RecordsPerCommand = 16;
    private const int RecordsAhead = 16;

    // A version can be reused only when no record has it any more: after a completed walk all records have the same version.
    private const int MaxFlipsBetweenWalks = 254;
    private int _flipsSinceWalk;

    public void Begin(StoreSession session, ISnapshotSink sink, Action? atFlip)
    {
        if (_flipsSinceWalk >= MaxFlipsBetweenWalks)
        {
            Normalise(session);
        }

        session.BeginExclusive();
        if (store.Snapshot != null)
        {
            session.EndExclusive();
            throw new InvalidOperationException("A snapshot is already active.");
        }

        _flipsSinceWalk++;
        store.Flip(new SnapshotRound(store, sink, (byte)(store.Version + 1), store.DatabaseMap.CopyLogicals(), store.Log.HighPage));
        try
        {
            atFlip?.Invoke();
        }
        catch
        {
            store.EndRound();
            throw;
        }
        finally
        {
            session.EndExclusive();
        }
    }

    public void End(StoreSession session)
    {
        session.BeginExclusive();
        store.EndRound();
        session.EndExclusive();
    }

    /// <summary>
    /// Emits up to <paramref name="records"/> records that are still old; false when the walk is done. The session is in a batch and holds
    /// no latch.
    /// </summary>
    public bool Walk(StoreSession session, ref SnapshotCursor cursor, int records)
    {
        SnapshotRound round = store.Snapshot ?? throw new InvalidOperationException("No snapshot is active.");
        int seen = 0;
        while (cursor.Page <= round.LastPage)
        {
            if (cursor.Unit == 0)
            {
                cursor.Page = Math.Max(1, cursor.Page);
                cursor.Generation = store.Log.Info(cursor.Page)->Generation;
            }

            if (!WalkPage(session, round, ref cursor, records, ref seen))
            {
                return true;
            }

            cursor.Page++;
            cursor.Unit = 0;
        }

        _flipsSinceWalk = 0;
        return false;
    }

    // False when the number of records is used up. A page freed since the walk began holds nothing old: all its records were moved, which
    // counted as first writes.
    private bool WalkPage(StoreSession session, SnapshotRound round, ref SnapshotCursor cursor, int records, ref int seen)
    {
        PageInfo* info = store.Log.Info(cursor.Page);
        var walk = new PageWalk(store, cursor.Page) { NextUnit = cursor.Unit };
        var scout = new PageWalk(store, cursor.Page) { NextUnit = cursor.Unit };
        int ahead = 0;
        while (Volatile.Read(ref info->State) != PageInfo.Free && info->Generation == cursor.Generation && walk.MoveNext())
        {
            ahead--;
            Scout(ref scout, round, ref ahead);
            if (round.IsOld(walk.Header) && walk.TryLatch())
            {
                if (session.IsExpired(RecordHeader.ExpiresAt(walk.Record, walk.Header)))
                {
                    round.LeaveOut(walk.Record);
                }
                else
                {
                    round.Walk(walk.Record, session.Slot);
                }

                walk.Release();
            }

            if (++seen % RecordsPerCommand == 0)
            {
                session.EndCommand();
            }

            if (seen >= records)
            {
                cursor.Unit = walk.NextUnit;
                return false;
            }
        }

        return true;
    }

    // Prefetches some records ahead of the walk. Records that die or appear in between only change the distance.
    private static void Scout(ref PageWalk scout, SnapshotRound round, ref int ahead)
    {
        while (ahead < RecordsAhead && scout.MoveNext())
        {
            ahead++;
            if (round.IsOld(scout.Header))
            {
                scout.PrefetchBucket();
            }
        }
    }

    // Gives all records the current version, so that after a wrap-around no very old record is mistaken for a new one.
    private void Normalise(StoreSession session)
    {
        bool wasInBatch = session.IsInBatch;
        if (!wasInBatch)
        {
            session.EnterBatch();
        }

        for (long page = 1; page <= store.Log.HighPage; page++)
        {
            uint generation = store.Log.Info(page)->Generation;
            var walk = new PageWalk(store, page);
            while (store.Log.Info(page)->State != PageInfo.Free && store.Log.Info(page)->Generation == generation && walk.MoveNext())
            {
                if (RecordHeader.Version(walk.Header) != store.Version && walk.TryLatch())
                {
                    *(ulong*)walk.Record = RecordHeader.WithVersion(walk.Header, store.Version);
                    walk.Release();
                }

                session.EndCommand();
            }
        }

        _flipsSinceWalk = 0;
        if (!wasInBatch)
        {
            session.LeaveBatch();
        }
    }
}
