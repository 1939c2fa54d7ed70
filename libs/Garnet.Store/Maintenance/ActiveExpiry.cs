// Removes expired keys that are not accessed, page by page. Used by maintenance, one thread at a time.
using System.Diagnostics;
using System.Numerics;
using Garnet.Store.DataTypes;
using Garnet.Store.Log;
using Garnet.Store.Records;

namespace Garnet.Store.Maintenance;

/// <summary>
/// Each page records when a visit is worthwhile. A visit removes what is due and computes the next time from a histogram of the remaining
/// keys: when a sixteenth of the page's keys will be due, but no more than eight seconds after the expiry of any of them (reading a key
/// removes it at once).
/// </summary>
internal sealed unsafe class ActiveExpiry(HybridLogStore store)
{
    private const int RecordsPerRun = 8192;
    private const int RecordsPerCommand = 64;
    private const long MaxDelayMs = 8000;
    private const long UnsettledVisitMs = 1000;
    private const int FirstRangeBits = 8;

    // The weight of one visit in the estimates of the stale share.
    private const double VisitWeight = 0.05;
    private readonly RecordLog _log = store.Log;
    private readonly FieldExpiry _fields = new(store);

    // Keys of the visited page by remaining time: range i ends at 256 ms < < i.
    private readonly int[] _ranges = new int[64];
    private long _page;
    private int _unit;
    private uint _generation;
    private int _records;
    private long _earliestMs = long.MaxValue;
    private int _expiring;
    private int _expired;
    private int _hashes;
    private int _staleHashes;
    private double _staleShare;
    private double _staleHashShare;
    private long _cappedRuns;
    private long _ticks;

    /// <summary>Approximate share of keys with an expiry that were past it when visited recently.</summary>
    public double StaleShare => Volatile.Read(ref _staleShare);

    /// <summary>Approximate share of hashes with expiring fields of which some were past their expiry.</summary>
    public double StaleHashShare => Volatile.Read(ref _staleHashShare);

    /// <summary>How often a run reached its limit with more work due.</summary>
    public long CappedRuns => Volatile.Read(ref _cappedRuns);

    /// <summary>Total time of all runs, in milliseconds.</summary>
    public long SpentMs => Volatile.Read(ref _ticks) * 1000 / Stopwatch.Frequency;

    /// <summary>Visits pages until a bounded number of records has been seen; true when more is due. The session must be in a
    /// batch.</summary>
    public bool Run(StoreSession session)
    {
        long start = Stopwatch.GetTimestamp();
        bool isDue = VisitDue(session);
        _cappedRuns += isDue ? 1 : 0;
        Volatile.Write(ref _ticks, _ticks + Stopwatch.GetTimestamp() - start);
        return isDue;
    }

    /// <summary>Resets the counters. A concurrent run may still add to the old values.</summary>
    public void ResetCounts()
    {
        Volatile.Write(ref _staleShare, 0);
        Volatile.Write(ref _staleHashShare, 0);
        Volatile.Write(ref _cappedRuns, 0);
        Volatile.Write(ref _ticks, 0);
    }

    private bool VisitDue(StoreSession session)
    {
        int left = RecordsPerRun;
        long highPage = _log.HighPage;
        while (left > 0)
        {
            if (_unit == 0 && !TryFindDuePage(session.NowMs, highPage))
            {
                // Nothing is due, so nothing is stale.
                UpdateShares();
                return false;
            }

            left -= Visit(session, left);
        }

        return true;
    }

    // Checks each page once, starting where the last search ended.
    private bool TryFindDuePage(long nowMs, long highPage)
    {
        for (long i = 0; i < highPage; i++)
        {
            _page = _page >= highPage ? 1 : _page + 1;
            PageInfo* info = _log.Info(_page);
            if (Volatile.Read(ref info->WakeAtMs) <= nowMs && Volatile.Read(ref info->State) != PageInfo.Free)
            {
                // Expiries set from here on lower the time again; those set before are found by the walk.
                Interlocked.Exchange(ref info->WakeAtMs, long.MaxValue);
                _generation = info->Generation;
                _records = 0;
                _earliestMs = long.MaxValue;
                Array.Clear(_ranges);
                return true;
            }
        }

        return false;
    }

    private int Visit(StoreSession session, int most)
    {
        var walk = new PageWalk(store, _page) { NextUnit = _unit };
        int seen = 0;
        while (_log.Info(_page)->Generation == _generation && walk.MoveNext())
        {
            _records++;
            if ((walk.Header & RecordHeader.Expiry) != 0)
                VisitExpiring(session, ref walk);

            if (DataTypeTable.HasElementExpiry(RecordHeader.Type(walk.Header)) && FieldExpiry.MayHaveExpiries(walk.Record, walk.Header))
                VisitFields(session, ref walk);

            if (++seen % RecordsPerCommand == 0)
                session.EndCommand();

            if (seen >= most)
            {
                _unit = walk.NextUnit;
                return seen;
            }
        }

        // In a page that is still being filled, the walk may have missed records whose expiry was noted before it began.
        long wake = NextVisitMs(session.NowMs);
        _log.ScheduleVisit(_page, _log.IsSettled(_page) ? wake : Math.Min(wake, session.NowMs + UnsettledVisitMs));
        _unit = 0;
        UpdateShares();
        return seen + 1;
    }

    private void UpdateShares()
    {
        Volatile.Write(ref _staleShare, Mean(_staleShare, _expired, _expiring));
        Volatile.Write(ref _staleHashShare, Mean(_staleHashShare, _staleHashes, _hashes));
        (_expired, _expiring, _staleHashes, _hashes) = (0, 0, 0, 0);
    }

    private static double Mean(double before, int part, int whole) =>
        (before * (1 - VisitWeight)) + (whole == 0 ? 0 : VisitWeight * part / whole);

    private void VisitFields(StoreSession session, ref PageWalk walk)
    {
        ref long removed = ref session.Slot.ExpiredFields;
        long before = removed;
        long next = _fields.Visit(session, ref walk);
        Count(session, next);
        if (next != long.MaxValue || removed != before)
        {
            _hashes++;
            _staleHashes += removed != before ? 1 : 0;
        }
    }

    private void VisitExpiring(StoreSession session, ref PageWalk walk)
    {
        long expires = RecordHeader.ExpiresAt(walk.Record, walk.Header);
        _expiring++;
        if (!session.Expiry.IsPast(expires))
        {
            Count(session, expires);
            return;
        }

        _expired++;

        // Flushed records are reclaimed rather than expired, without notifications.
        if (store.Databases.Map.LogicalOf(RecordHeader.Physical(walk.Header)) >= 0 && walk.TryLatch())
        {
            walk.Latched(session).RemoveIfExpired(session.NowMs);
            walk.Release();
        }
    }

    private void Count(StoreSession session, long expiresAtMs)
    {
        if (expiresAtMs == long.MaxValue)
            return;

        _earliestMs = Math.Min(_earliestMs, expiresAtMs);
        long left = Math.Max(0, expiresAtMs - session.NowMs);
        _ranges[BitOperations.Log2((ulong)left >> (FirstRangeBits - 1) | 1)]++;
    }

    private long NextVisitMs(long nowMs)
    {
        if (_earliestMs == long.MaxValue)
            return long.MaxValue;

        int due = 0;
        int range = 0;
        while (range < _ranges.Length - 1 && (due += _ranges[range]) * 16 < _records)
            range++;

        long whenEnough = range + FirstRangeBits > 50 ? long.MaxValue : nowMs + (1L << (range + FirstRangeBits));
        return Math.Max(
            _earliestMs + 1,
            Math.Min(whenEnough, _earliestMs > long.MaxValue - MaxDelayMs ? long.MaxValue : _earliestMs + MaxDelayMs)
        );
    }
}
