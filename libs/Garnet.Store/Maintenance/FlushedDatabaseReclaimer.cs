// Removes the records of flushed databases, so that their physical numbers and memory can be reused. Used by maintenance, or by a thread
// that runs exclusively.
using Garnet.Store.Index;
using Garnet.Store.Log;
using Garnet.Store.Records;

namespace Garnet.Store.Maintenance;

/// <summary>Passes over all pages; records flushed before a pass began are gone when it ends.</summary>
internal sealed unsafe class FlushedDatabaseReclaimer(HybridLogStore store)
{
    private const int RecordsPerRun = 4096;
    private readonly bool[] _targets = new bool[DatabaseMap.Physicals];
    private long _page;
    private long _lastPage;
    private int _unit;

    // Incremented when a thread running exclusively reclaims everything while a pass is parked at the barrier: that pass has nothing left
    // to do.
    private int _pass;

    /// <summary>Removes a bounded number of records; true when more is due. The session must be in a batch.</summary>
    public bool Run(StoreSession session)
    {
        if (_page == 0 && !TryBegin())
            return false;

        int left = RecordsPerRun;
        int pass = _pass;
        while (left > 0 && _page <= _lastPage && store.Snapshots.HasSpace)
        {
            left -= ReclaimPage(session, left, pass);
            if (pass != _pass)
                return store.Databases.Map.HasFlushed;
        }

        if (_page > _lastPage)
            End();

        return store.Databases.Map.HasFlushed;
    }

    /// <summary>Removes all remaining records of flushed databases; the caller runs exclusively.</summary>
    public void RunAlone(StoreSession session)
    {
        _pass++;
        if (!TryBegin())
            return;

        for (long page = 1; page <= _lastPage; page++)
        {
            if (store.Log.Info(page)->State != PageInfo.Free)
            {
                var walk = new PageWalk(store, page);
                while (walk.MoveNext())
                    ReclaimRecord(session, ref walk);
            }
        }

        End();
    }

    private bool TryBegin()
    {
        if (!store.Databases.Map.HasFlushed)
            return false;

        for (int i = 0; i < _targets.Length; i++)
            _targets[i] = store.Databases.Map.IsFlushed(i);

        _page = 1;
        _unit = 0;
        _lastPage = store.Log.HighPage;
        return true;
    }

    private int ReclaimPage(StoreSession session, int most, int pass)
    {
        int seen = 1;
        if (Volatile.Read(ref store.Log.Info(_page)->State) != PageInfo.Free)
        {
            var walk = new PageWalk(store, _page) { NextUnit = _unit };
            while (walk.MoveNext())
            {
                ReclaimRecord(session, ref walk);
                if ((++seen & 63) == 0)
                {
                    session.EndCommand();
                    if (pass != _pass)
                        return seen;
                }

                if (seen > most || !store.Snapshots.HasSpace)
                {
                    _unit = walk.NextUnit;
                    return seen;
                }
            }
        }

        _page++;
        _unit = 0;
        return seen;
    }

    private void ReclaimRecord(StoreSession session, ref PageWalk walk)
    {
        if (_targets[RecordHeader.Physical(walk.Header)] && walk.TryLatch())
        {
            walk.Latched(session).RemoveFlushed();
            walk.Release();
        }
    }

    private void End()
    {
        for (int i = 0; i < _targets.Length; i++)
        {
            if (_targets[i] && store.Databases.KeysOfPhysical(i) == 0)
                store.Databases.Map.Reclaim(i);
        }

        _page = 0;
    }
}
