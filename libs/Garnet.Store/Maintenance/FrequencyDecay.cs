// Decrements the access frequencies of all keys over time. Used by maintenance, one thread at a time.
using Garnet.Store.Eviction;
using Garnet.Store.Log;
using Garnet.Store.Records;

namespace Garnet.Store.Maintenance;

/// <summary>
/// Valkey stores with each key the time of its last decrement. Here a record has only one byte, so a walk over the pages decrements all
/// counters once per period. A record created or moved during the walk may miss a step.
/// </summary>
internal sealed unsafe class FrequencyDecay(HybridLogStore store)
{
    private const int RecordsPerRun = 8192;
    private const int RecordsPerCommand = 64;
    private const long MinuteMs = 60_000;
    private long _lastMs = -1;
    private long _page;
    private long _highPage;
    private int _unit;
    private int _steps;

    /// <summary>
    /// Continues the walk in progress, or starts one when a period is over; true when more is due. The session must be in a batch.
    /// </summary>
    public bool Run(StoreSession session)
    {
        EvictionSettings settings = store.Eviction;
        if (!settings.CountsFrequency)
        {
            _lastMs = -1;
            _page = 0;
            return false;
        }

        if (_page == 0 && !TryBegin(settings.FrequencyDecayMinutes * MinuteMs, store.Clock.ReadRunningMs()))
            return false;

        int left = RecordsPerRun;
        while (left > 0 && _page <= _highPage)
            left -= Lower(session, left);

        if (_page <= _highPage)
            return true;

        _page = 0;
        return false;
    }

    private bool TryBegin(long periodMs, long nowMs)
    {
        if (_lastMs < 0 || periodMs == 0 || nowMs < _lastMs)
            _lastMs = nowMs;

        if (periodMs == 0 || nowMs - _lastMs < periodMs)
            return false;

        long periods = (nowMs - _lastMs) / periodMs;
        _lastMs += periods * periodMs;
        _steps = (int)Math.Min(periods, byte.MaxValue);
        _page = 1;
        _unit = 0;
        _highPage = store.Log.HighPage;
        return true;
    }

    private int Lower(StoreSession session, int most)
    {
        int seen = 1;
        if (Volatile.Read(ref store.Log.Info(_page)->State) != PageInfo.Free)
        {
            var walk = new PageWalk(store, _page) { NextUnit = _unit };
            while (walk.MoveNext())
            {
                byte counter = RecordHeader.Access(walk.Header);
                if (counter != 0)
                    walk.Record[RecordHeader.AccessOffset] = (byte)Math.Max(0, counter - _steps);

                if (++seen % RecordsPerCommand == 0)
                    session.EndCommand();

                if (seen > most)
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
}
