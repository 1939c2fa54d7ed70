// Flips versions and walks the pages for records not written since. Begin and End run under the barrier; the walk uses one thread.
using Garnet.Store.Log;
using Garnet.Store.Maintenance;
using Garnet.Store.Records;
using Garnet.Store.Tiering;

namespace Garnet.Store.Snapshots;

/// <summary>The store's side of snapshots.</summary>
internal sealed unsafe class StoreSnapshots(HybridLogStore store)
{
    private const int RecordsPerCommand = 16;
    private const int RecordsAhead = 16;

    // A version can be reused only when no record has it any more: after a completed walk all records have the same version.
    private const int MaxFlipsBetweenWalks = 254;
    private int _flipsSinceWalk;

    /// <summary>The checkpoint version that new and changed records carry.</summary>
    public byte Version { get; private set; }

    /// <summary>The active snapshot; set and cleared under the barrier.</summary>
    public SnapshotRound? Round
    {
        get;
        private set
        {
            field = value;
            store.Conditions.Set(store.Conditions.Snapshot, value is not null);
        }
    }

    /// <summary>True between <see cref="Begin"/> and <see cref="End"/>.</summary>
    public bool IsActive => Round is not null;

    /// <summary>
    /// False while an active snapshot has no space for another image; background work that changes records then pauses.
    /// </summary>
    public bool HasSpace => !MustWait(0);

    /// <summary>Number of pages that the active snapshot's walk has to visit.</summary>
    public long Pages => Round?.LastPage ?? 0;

    /// <summary>The fraction of pages that a walk has visited: 0 to 1.</summary>
    public double WalkedShare(in SnapshotCursor cursor) =>
        Round is { } round ? Math.Clamp((cursor.Page - 1.0) / Math.Max(1, round.LastPage), 0, 1) : 1;

    /// <summary>
    /// True when an active snapshot has no space for the old images of a write of about <paramref name="bytes"/>. Asked before the first
    /// latch: the command must release everything and its connection must wait.
    /// </summary>
    public bool MustWait(long bytes) => Round is { } round && !round.Sink.HasSpace(bytes);

    /// <summary>Completes when it is worth asking <see cref="MustWait"/> again. The caller must not be in a batch while awaiting this.</summary>
    public Task WaitAsync() => Round?.Sink.WaitForSpaceAsync() ?? Task.CompletedTask;

    /// <summary>
    /// Starts a snapshot at one point in time, while no other session is inside a command: from here on the sink receives each key that is
    /// live now, exactly once, in its present state. The caller holds no latch. Throws if a snapshot is already active.
    /// </summary>
    /// <param name="session">The calling thread's session, inside a batch or outside.</param>
    /// <param name="sink">Receives the images.</param>
    /// <param name="atFlip">Run at that very point, with all other sessions excluded; it must be short.</param>
    public void Begin(StoreSession session, ISnapshotSink sink, Action? atFlip = null)
    {
        ArgumentNullException.ThrowIfNull(session);
        ArgumentNullException.ThrowIfNull(sink);
        if (_flipsSinceWalk >= MaxFlipsBetweenWalks)
            Normalise(session);

        session.BeginExclusive();
        if (Round is not null)
        {
            session.EndExclusive();
            throw new InvalidOperationException("A snapshot is already active.");
        }

        _flipsSinceWalk++;
        // From here on records of any other version are old.
        Version++;
        Round = new SnapshotRound(store, sink, Version, store.Databases.Map.CopyLogicals(), store.Log.HighPage);
        try
        {
            atFlip?.Invoke();
        }
        catch
        {
            Round = null;
            throw;
        }
        finally
        {
            session.EndExclusive();
        }
    }

    /// <summary>Ends the snapshot, complete or not; the sink is not called after this returns.</summary>
    public void End(StoreSession session)
    {
        ArgumentNullException.ThrowIfNull(session);
        session.BeginExclusive();
        Round = null;
        session.EndExclusive();
    }

    /// <summary>
    /// Passes up to <paramref name="records"/> records not written since the flip to the sink; false when the walk is done and the snapshot
    /// is therefore complete. The session is in a batch, holds no latch, and may wait between calls. One walker at a time.
    /// </summary>
    /// <param name="session">The walker's session.</param>
    /// <param name="cursor">Where the walk is.</param>
    /// <param name="records">Number of records.</param>
    /// <param name="walker">Takes records instead of the sink; null if the sink receives all of them.</param>
    public bool Walk(StoreSession session, ref SnapshotCursor cursor, int records, ISnapshotWalker? walker = null)
    {
        SnapshotRound round = Round ?? throw new InvalidOperationException("No snapshot is active.");
        int seen = 0;
        while (cursor.Page <= round.LastPage)
        {
            if (cursor.Unit == 0)
            {
                cursor.Page = Math.Max(1, cursor.Page);
                cursor.Generation = store.Log.Info(cursor.Page)->Generation;
            }

            if (!WalkPage(session, round, ref cursor, records, ref seen, walker))
                return true;

            cursor.Page++;
            cursor.Unit = 0;
        }

        if (!cursor.SkipsCold)
            _flipsSinceWalk = 0;
        return false;
    }

    // False when the number of records is used up. A page freed since the walk began holds nothing old: all its records were moved, which
    // counted as first writes.
    private bool WalkPage(
        StoreSession session,
        SnapshotRound round,
        ref SnapshotCursor cursor,
        int records,
        ref int seen,
        ISnapshotWalker? walker
    )
    {
        PageInfo* info = store.Log.Info(cursor.Page);
        var walk = new PageWalk(store, cursor.Page) { NextUnit = cursor.Unit };
        var scout = new PageWalk(store, cursor.Page) { NextUnit = cursor.Unit };
        int ahead = 0;
        while (Volatile.Read(ref info->State) != PageInfo.Free && info->Generation == cursor.Generation && walk.MoveNext())
        {
            ahead--;
            Scout(ref scout, round, ref ahead);
            if (walk.TryLatchOld(round))
            {
                if (!cursor.SkipsCold || !ColdRecord.IsStub(walk.Record, *(ulong*)walk.Record))
                    round.Walk(walk.Record, session.Slot, walker);
                walk.Release();
            }

            if (++seen % RecordsPerCommand == 0)
                session.EndCommand();

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
                scout.PrefetchAhead();
                scout.PrefetchBucket();
            }
        }
    }

    // Gives all records the current version, so that after a wrap-around no very old record is mistaken for a new one.
    private void Normalise(StoreSession session)
    {
        bool wasInBatch = session.IsInBatch;
        if (!wasInBatch)
            session.EnterBatch();

        for (long page = 1; page <= store.Log.HighPage; page++)
        {
            uint generation = store.Log.Info(page)->Generation;
            var walk = new PageWalk(store, page);
            while (store.Log.Info(page)->State != PageInfo.Free && store.Log.Info(page)->Generation == generation && walk.MoveNext())
            {
                if (RecordHeader.Version(walk.Header) != Version && walk.TryLatch())
                {
                    *(ulong*)walk.Record = RecordHeader.WithVersion(walk.Header, Version);
                    walk.Release();
                }

                session.EndCommand();
            }
        }

        _flipsSinceWalk = 0;
        if (!wasInBatch)
            session.LeaveBatch();
    }
}
