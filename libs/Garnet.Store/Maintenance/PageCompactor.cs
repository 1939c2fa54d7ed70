// Empties pages whose records are mostly dead and returns their memory. Used by maintenance, one thread at a time.
using Garnet.Store.DataTypes;
using Garnet.Store.Epochs;
using Garnet.Store.Eviction;
using Garnet.Store.Index;
using Garnet.Store.Log;
using Garnet.Store.Records;
using Garnet.Store.Tiering;

namespace Garnet.Store.Maintenance;

/// <summary>
/// Dead records are first reused by size; compaction comes second. It takes two steps, an epoch apart: a page is marked, so that its dead
/// records are no longer reused; once every thread has seen that, its live records are copied to where new ones go. When all of the page is
/// dead and another epoch has passed, its memory is returned. Copying costs about one nanosecond per byte; at the threshold of one eighth
/// dead, freeing one page copies up to seven, so the emptiest pages go first.
/// </summary>
internal sealed unsafe class PageCompactor(HybridLogStore store)
{
    private const int RecordsPerRun = 2048;
    private const int RecordsPerCommand = 16;
    private const int Worthwhile = 16;
    private const int MaxVictims = 64;
    private const int Eighth = 8;

    // While memory is tight: few pages are processed at once, as emptying one first takes memory for its live records, and pages are worth
    // emptying at one thirty-second dead.
    private const int MaxVictimsWhenTight = 8;
    private const int WorthwhileWhenTight = 32;

    // While keys are also being written, they reuse dead records: the fewer there are, the more writes go to new pages, which have to be
    // freed by copying ever more. So a twelfth may be dead, and less as long as that takes little copying.
    private const double MinReusedShare = 12;
    private const double MaxReusedShare = 48;
    private const double ReusedShareStep = 0.5;
    private const long LittleCopyingPerMs = 32 << 10;
    private const int CopyingWindowMs = 100;
    private const long MaxMovedBytesWhenTight = 2L << 20;
    private readonly RecordLog _log = store.Log;
    private readonly EpochTable _epochs = store.Epochs;
    private readonly Queue<(long Page, long Tag)> _emptied = new();
    private readonly Queue<long> _victims = new();
    private readonly PriorityQueue<long, int> _candidates = new();
    private long _victimsTag;
    private bool _isTight;
    private long _movedBytes;
    private double _reusedShare = MinReusedShare;
    private long _copiedBytes;
    private long _copyingSinceMs;
    private int _unit;

    /// <summary>Whether no page was worth emptying in the last round, and none is about to be freed.</summary>
    public bool FoundNothing { get; private set; }

    /// <summary>Frees, empties and chooses a bounded number of pages; true when more is due. The session must be in a batch.</summary>
    public bool Run(StoreSession session)
    {
        FreeEmptied(session);
        if (_victims.Count == 0)
            Choose();

        FoundNothing = _victims.Count == 0 && _emptied.Count == 0;
        if (_victims.Count == 0)
            return !FoundNothing;

        if (_epochs.IsPast(_victimsTag))
            EmptyVictims(session);

        return true;
    }

    private void FreeEmptied(StoreSession session)
    {
        while (_emptied.TryPeek(out (long Page, long Tag) next) && _epochs.IsPast(next.Tag))
        {
            _emptied.Dequeue();
            _log.FreePage(session.Slot, next.Page, store.Budget.LimitBytes);
        }
    }

    // Marks the pages with the most dead bytes until the remaining dead bytes are within the permitted share.
    private void Choose()
    {
        long highPage = _log.HighPage;
        long total = 0;
        long dead = 0;
        _isTight = store.Budget.IsTight;
        int worthwhile = _isTight ? WorthwhileWhenTight : Worthwhile;
        int most = _isTight ? MaxVictimsWhenTight : MaxVictims;
        _candidates.Clear();
        for (long page = 1; page <= highPage; page++)
        {
            PageInfo* info = _log.Info(page);
            int deadUnits = Volatile.Read(ref info->DeadUnits);
            if (Volatile.Read(ref info->State) != PageInfo.InUse)
                continue;

            total += _log.PageUnits;
            dead += deadUnits;
            if (deadUnits * (long)worthwhile > _log.PageUnits)
                _candidates.Enqueue(page, -deadUnits);
        }

        FitReusedShare(store.Clock.ReadRunningMs());
        double kept =
            !_isTight ? Eighth
            : store.Budget.HasWriters ? _reusedShare
            : int.MaxValue;
        while (_victims.Count < most && _candidates.TryDequeue(out long page, out int negative))
        {
            bool isAllDead = -negative == _log.PageUnits;
            if (!isAllDead && dead <= total / kept)
                break;

            if (_log.IsSettled(page))
            {
                Volatile.Write(ref _log.Info(page)->State, PageInfo.Compacting);
                _victims.Enqueue(page);
                dead += negative;
            }
        }

        _candidates.Clear();
        CloseIdleChunks();
        _victimsTag = _epochs.Advance();
        _unit = 0;
    }

    private void FitReusedShare(long nowMs)
    {
        long elapsed = nowMs - _copyingSinceMs;
        if (elapsed < CopyingWindowMs && elapsed >= 0)
            return;

        double step = _copiedBytes > LittleCopyingPerMs * elapsed ? -ReusedShareStep * 2 : ReusedShareStep;
        _reusedShare = Math.Clamp(_reusedShare + step, MinReusedShare, MaxReusedShare);
        _copyingSinceMs = nowMs;
        _copiedBytes = 0;
    }

    // A terminated thread leaves its slot's chunk open, which would prevent its page from being emptied; so chunks of all slots that are
    // not held right now are closed.
    private void CloseIdleChunks()
    {
        foreach (EpochSlot slot in _epochs.Slots)
        {
            if (Volatile.Read(ref slot.Chunk.Address) != 0 && _epochs.TryTake(slot))
            {
                long page = slot.Chunk.Address == 0 ? 0 : _log.PageOf(slot.Chunk.Address);
                if (page != 0 && _log.Info(page)->ClosedEpoch != 0 && _log.Info(page)->DeadUnits * 4L > _log.PageUnits)
                    _log.CloseChunk(slot);

                EpochTable.Leave(slot);
            }
        }
    }

    private void EmptyVictims(StoreSession session)
    {
        int left = RecordsPerRun;
        _movedBytes = 0;
        while (left > 0 && store.Snapshots.HasSpace && _victims.TryPeek(out long page))
        {
            left -= EmptyPage(session, page, left, out bool isWalked);
            if (!isWalked)
                return;

            _victims.Dequeue();
            _unit = 0;
            if (Volatile.Read(ref _log.Info(page)->DeadUnits) == _log.PageUnits)
            {
                _emptied.Enqueue((page, _epochs.Advance()));
            }
            else
            {
                // A thread has marked a record dead but not counted it yet: check again later.
                _victims.Enqueue(page);
                return;
            }
        }
    }

    private int EmptyPage(StoreSession session, long page, int most, out bool isWalked)
    {
        var walk = new PageWalk(store, page) { NextUnit = _unit };
        int moved = 1;
        while (walk.MoveNext())
        {
            if (walk.TryLatch())
            {
                Move(session, ref walk);
                walk.Release();
                moved++;
            }

            if (moved % RecordsPerCommand == 0)
                session.EndCommand();

            if (moved > most || !store.Snapshots.HasSpace || (_isTight && _movedBytes > MaxMovedBytesWhenTight))
            {
                _unit = walk.NextUnit;
                isWalked = false;
                return moved;
            }
        }

        isWalked = true;
        return moved;
    }

    // Copies a latched record elsewhere. For a snapshot this is a first write.
    private void Move(StoreSession session, ref PageWalk walk)
    {
        byte* old = walk.Record;
        bool isPrepared = store.Databases.Map.IsPrepared(RecordHeader.Physical(walk.Header));
        if (store.Databases.Map.LogicalOf(RecordHeader.Physical(walk.Header)) < 0 && !isPrepared)
        {
            // Moving a flushed record could take it past the reclaimer's position.
            walk.Latched(session).RemoveFlushed();
            return;
        }

        if (
            _isTight
            && !isPrepared
            && store.Tier is null
            && KeyEvictor.IsCold(store, old, walk.Header, session.NowMs)
            && store.Budget.Excess(_log.PageBytes) > 0
        )
        {
            // It would be among the next to be evicted, so copying it would be wasted.
            walk.Latched(session).Evict();
            return;
        }

        store.Snapshots.Round?.BeforeChange(old, session.Slot);
        ulong header = *(ulong*)old;
        bool isStub = ColdRecord.IsStub(old, header);
        int bytes = (RecordHeader.Units(header) * 8) - RecordHeader.Slack(header);
        int slidingBytes = RecordHeader.SlidingBytesOf(old, header);
        int units = (bytes + slidingBytes + SpareOf(header, bytes, slidingBytes) + 7) >> 3;
        _movedBytes += bytes;
        _copiedBytes += bytes;
        byte* record = _log.Allocate(session.Slot, ref units, out long address);
        Buffer.MemoryCopy(old + 8, record + 8, (units * 8) - 8, bytes - 8);
        if (slidingBytes != 0)
            RecordHeader.WriteExpiry(record, units, RecordHeader.ExpiresAt(old, header), RecordHeader.Sliding(old, header));

        ulong moved = RecordHeader.Build(
            header & RecordHeader.FormMask,
            header & RecordHeader.FlagMask,
            store.Snapshots.Version,
            store.Accesses.Map(RecordHeader.Access(header)),
            RecordHeader.Physical(header),
            units,
            RecordHeader.KeyField(header),
            (units * 8) - bytes
        );
        Volatile.Write(ref *(ulong*)record, moved);
        *store.Index.FindEntry(walk.Bucket, walk.Address) = IndexEntry.Of(walk.Salted, address) | (isStub ? IndexEntry.Cold : 0);
        if ((header & RecordHeader.Expiry) != 0)
            _log.ScheduleExpiry(address, RecordHeader.ExpiresAt(record, moved));

        if (DataTypeTable.HasElementExpiry(RecordHeader.Type(moved)) && !isStub)
            _log.ScheduleExpiry(address, FieldExpiry.EarliestOf(RecordHeader.Value(record, moved)));

        _log.MarkDead(session.Slot, walk.Address);
    }

    // Records that grow and shrink by turns keep part of their spare capacity: without it the next change would move them again, and the
    // page they leave would have to be compacted in turn.
    private int SpareOf(ulong header, int bytes, int slidingBytes) =>
        _isTight || RecordHeader.Type(header) == RecordType.String
            ? 0
            : Math.Clamp(RecordHeader.Slack(header) - slidingBytes, 0, Math.Min(RecordHeader.Units(header), RecordHeader.MaxSpare(bytes)));
}
