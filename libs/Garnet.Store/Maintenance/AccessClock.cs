// The coarse clock for the access byte of records. Advanced by maintenance, one thread at a time; any thread may read it and record a use.
using Garnet.Store.Log;
using Garnet.Store.Records;

namespace Garnet.Store.Maintenance;

/// <summary>
/// A record's access byte is a stamp: the number of one of 256 remembered moments. A new stamp starts in each second in which the last one
/// was used. When stamps run short, old neighbours are merged, so that a stamp covers one second for the last minute and about an eighth of
/// its age beyond (with shorter steps throughout while keys are evicted soon after they were added); a walk over the pages rewrites the
/// bytes of discarded stamps. Access bytes are written without a latch, so a few may be wrong, for example one copied during the walk: they
/// serve to estimate idle times, not for correctness. If the policy counts uses as well, those take the byte's upper two bits, and stamps
/// the lower six (<see cref="StampScale"/>).
/// </summary>
internal sealed unsafe class AccessClock
{
    private const int Stamps = 256;
    private const int RecordsPerRun = 8192;
    private const int RecordsPerCommand = 64;
    private const long MinStampMs = 10;
    private const long SecondMs = 1000;

    private readonly HybridLogStore _store;
    private readonly long[] _beganMs = new long[Stamps];
    private readonly byte[] _map = new byte[Stamps];

    // Stamps in use, oldest first; the others are free.
    private readonly List<byte> _used = [];
    private readonly Stack<byte> _free = [];
    private readonly List<byte> _givenUp = [];

    // Guards the lists; the walk itself needs no lock.
    private readonly Lock _gate = new();
    private StampScale _scale = StampScale.Fine;
    private long _stepMs = StampScale.Fine.LongestStepMs;
    private long _tickedMs;
    private bool _isUsed;
    private byte _now;
    private long _page;
    private int _unit;
    private long _highPage;

    /// <summary>Starts with one stamp.</summary>
    public AccessClock(HybridLogStore store, long nowMs)
    {
        _store = store;
        Begin(_scale, nowMs);
    }

    /// <summary>The current stamp.</summary>
    public byte Now => Volatile.Read(ref _now);

    /// <summary>Records that the current stamp is in use.</summary>
    public void MarkUsed()
    {
        if (!_isUsed)
            _isUsed = true;
    }

    /// <summary>The bits of an access byte that hold the stamp.</summary>
    public byte Mask => _scale.Mask;

    /// <summary>Milliseconds since the moment of a stamp.</summary>
    public long IdleMs(byte access, long nowMs) => Math.Max(0, nowMs - MomentOf(access));

    /// <summary>
    /// Clock seconds that have started since the moment of a stamp. Counted as in Valkey: whole seconds of the system clock, which is read
    /// periodically.
    /// </summary>
    public long IdleSeconds(byte access, long nowMs) => Math.Max(0, SecondAt(nowMs) - (MomentOf(access) / SecondMs));

    /// <summary>The moment of a stamp in Unix milliseconds.</summary>
    public long MomentOf(byte access) => Volatile.Read(ref _beganMs[access & Mask]);

    /// <summary>A stamp for a key with a given idle time (such as from RESTORE); the nearest one when stamps are scarce.</summary>
    public byte StampOf(long idleMs, long nowMs)
    {
        lock (_gate)
        {
            long moment = nowMs - Math.Clamp(idleMs, 0, nowMs);
            bool countsSeconds = _stepMs == SecondMs;
            if (countsSeconds)
                moment = Math.Max(0, SecondAt(nowMs) - (idleMs / SecondMs)) * SecondMs;

            int place = _used.Count;
            while (place > 0 && _beganMs[_used[place - 1]] > (countsSeconds ? moment + SecondMs - 1 : moment))
                place--;

            byte older = place > 0 ? _used[place - 1] : _used[0];
            bool isNear = place > 0 && (countsSeconds ? _beganMs[older] >= moment : moment - _beganMs[older] <= _stepMs);
            if (isNear || place == _used.Count || _free.Count < _scale.FewForRestored || _givenUp.Count != 0)
                return older;

            byte stamp = _free.Pop();
            Volatile.Write(ref _beganMs[stamp], moment);
            _used.Insert(place, stamp);
            return stamp;
        }
    }

    /// <summary>The stamp to use in place of one that is copied to a new record.</summary>
    public byte Map(byte access) => (byte)((access & ~Mask) | _map[access & Mask]);

    /// <summary>
    /// Reserves for use counts the bits that the policy wants, effective at once, since stamps written from now on are kept. When the
    /// number of stamp bits changes, the meaning of existing bytes is lost: all keys count as used just now, some of them more often than
    /// others.
    /// </summary>
    public void FollowPolicy(long nowMs)
    {
        lock (_gate)
        {
            StampScale scale = _store.Eviction.CountsUses ? StampScale.Coarse : StampScale.Fine;
            if (scale == _scale)
                return;

            Begin(scale, nowMs);
        }
    }

    /// <summary>Advances the clock when a second is over. While the current stamp is unused, its moment simply moves on.</summary>
    public void Tick(long nowMs)
    {
        StampScale scale = _scale;

        // If keys are evicted within seconds, steps of a second would not order them. Before the first eviction the relevant ages are
        // unknown, so the full range is used.
        long turnoverMs = _store.Budget.TurnoverMs;
        _stepMs =
            turnoverMs == long.MaxValue
                ? Math.Max(scale.FirstStepMs, OldestMs(nowMs) >> scale.OldestBits)
                : Math.Clamp(turnoverMs / scale.StepsPerTurnover, MinStampMs, scale.LongestStepMs);
        Volatile.Write(ref _tickedMs, nowMs);
        long began = _beganMs[_now];
        bool isOver = _stepMs == SecondMs ? nowMs / SecondMs != began / SecondMs : nowMs - began >= _stepMs;
        if (!isOver && nowMs >= began)
            return;

        lock (_gate)
            Turn(nowMs);
    }

    // The current second, as of the last tick unless that was long ago.
    private long SecondAt(long nowMs)
    {
        long ticked = Volatile.Read(ref _tickedMs);
        return (nowMs >= ticked && nowMs - ticked < SecondMs ? ticked : nowMs) / SecondMs;
    }

    // A walk in progress finds nothing left to rewrite.
    private void Begin(StampScale scale, long nowMs)
    {
        Array.Fill(_beganMs, nowMs);
        ResetMap();
        _givenUp.Clear();
        _used.Clear();
        _used.Add(0);
        _free.Clear();
        for (int stamp = scale.Mask; stamp > 0; stamp--)
            _free.Push((byte)stamp);

        Volatile.Write(ref _now, 0);
        Volatile.Write(ref _scale, scale);
    }

    private long OldestMs(long nowMs)
    {
        lock (_gate)
            return nowMs - _beganMs[_used[0]];
    }

    private void Turn(long nowMs)
    {
        if (_isUsed && _free.TryPop(out byte next))
        {
            _isUsed = false;
            Volatile.Write(ref _beganMs[next], nowMs);
            _used.Add(next);
            Volatile.Write(ref _now, next);
        }
        else if (!_isUsed)
        {
            Volatile.Write(ref _beganMs[_now], nowMs);
        }
    }

    /// <summary>
    /// Merges stamps when few are free, and continues the walk that this requires; true when more is due. The session must be in a batch.
    /// </summary>
    public bool Run(StoreSession session)
    {
        if (_page == 0)
        {
            if (_free.Count >= _scale.FewStamps || _store.Eviction.CountsFrequency || !TryAbandon(_store.Clock.ReadRunningMs()))
                return false;

            _page = 1;
            _unit = 0;
            _highPage = _store.Log.HighPage;
        }

        int left = RecordsPerRun;
        while (left > 0 && _page <= _highPage)
            left -= Rewrite(session, left);

        if (_page <= _highPage)
            return true;

        End();
        return false;
    }

    // Of the stamps in one age class only the newest is kept.
    private bool TryAbandon(long nowMs)
    {
        lock (_gate)
            Abandon(nowMs);

        return _givenUp.Count != 0;
    }

    private void Abandon(long nowMs)
    {
        for (int i = _used.Count - 2; i >= 0; i--)
        {
            byte newer = _map[_used[i + 1]];
            if (newer != _now && ClassOf(nowMs - _beganMs[_used[i]]) == ClassOf(nowMs - _beganMs[newer]))
            {
                _map[_used[i]] = newer;
                _givenUp.Add(_used[i]);
            }
        }
    }

    private int ClassOf(long ageMs)
    {
        long steps = Math.Clamp(ageMs / _stepMs, 0, 1L << _scale.OldestBits);
        int bits = System.Numerics.BitOperations.Log2((ulong)steps | 1);
        int octaves = bits - _scale.SingleStepsBits;
        int parts = 1 << _scale.OctaveBits;
        return octaves < 0
            ? (int)steps
            : (1 << _scale.SingleStepsBits) + (octaves * parts) + (int)((steps >> (bits - _scale.OctaveBits)) & (parts - 1));
    }

    private int Rewrite(StoreSession session, int most)
    {
        int seen = 1;
        if (Volatile.Read(ref _store.Log.Info(_page)->State) != PageInfo.Free)
        {
            var walk = new PageWalk(_store, _page) { NextUnit = _unit };
            while (walk.MoveNext())
            {
                byte access = RecordHeader.Access(walk.Header);
                if (Map(access) != access)
                    walk.Record[RecordHeader.AccessOffset] = Map(access);

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

    // Pages opened during the walk hold new records and, if the compactor moved them, mapped stamps.
    private void End()
    {
        lock (_gate)
        {
            foreach (byte stamp in _givenUp)
            {
                _used.Remove(stamp);
                _free.Push(stamp);
            }

            _givenUp.Clear();
            ResetMap();
        }

        _page = 0;
    }

    private void ResetMap()
    {
        for (int stamp = 0; stamp < Stamps; stamp++)
            _map[stamp] = (byte)stamp;
    }
}
