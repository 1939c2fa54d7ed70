// The hybrid log: pages of records in native memory, addressed logically. Allocation is lock-free; a slot's chunk is owned by the slot's
// holder.
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;
using Garnet.Store.Epochs;
using Garnet.Store.Memory;
using Garnet.Store.Records;

namespace Garnet.Store.Log;

/// <summary>
/// An address is a page number and an offset in units of eight bytes; a table of frames maps page numbers to memory. The positions where
/// records start never change while a page is in use (a dead record is reused whole), so a walk never gets out of step and a late write of
/// an access byte never hits a value. A page is emptied by the compactor, and its number is reused once no epoch can see it; its frame
/// stays mapped permanently.
/// </summary>
internal sealed unsafe class RecordLog : IDisposable
{
    private const int MaxPages = 1 << 24;
    private const int MinRest = 4;
    private const int OpenOffsetBits = 26;
    internal const long SegmentBytes = 64L << 20;
    private const long MaxReadyBytes = 8L << 20;
    private const int ReadyShare = 128;
    private readonly EpochTable _epochs;
    private readonly ReservedRange _frames = new((long)MaxPages * 8, 1 << 16);
    private readonly ReservedRange _infos = new((long)MaxPages * 64, 1 << 19);
    private readonly byte** _frameBase;
    private readonly PageInfo* _infoBase;
    private readonly int _unitBits;
    private readonly long _unitMask;
    private readonly Lock _carving = new();
    private readonly List<nint> _segments = [];
    private byte* _segment;
    private long _segmentUsed = SegmentBytes;
    private TaggedStack _freePages;
    private TaggedStack _readyPages;
    private long _readyCount;
    private IdleLevel _idleReady;
    private long _idleExcess;
    private long _highPage;
    private long _pagesInUse;

    // The page that chunks are taken from and the next free unit in it: page < < 26 | unit.
    private PaddedLong _open;

    public RecordLog(int pageSizeBits, EpochTable epochs)
    {
        _epochs = epochs;
        _unitBits = pageSizeBits - 3;
        _unitMask = (1L << _unitBits) - 1;
        PageUnits = 1 << _unitBits;
        _frameBase = (byte**)_frames.Base;
        _infoBase = (PageInfo*)_infos.Base;
        _open.Value = TakePage() << OpenOffsetBits;
    }

    /// <summary>Size of a page in units of eight bytes.</summary>
    public int PageUnits { get; }

    /// <summary>Size of a page in bytes.</summary>
    public long PageBytes => (long)PageUnits * 8;

    /// <summary>The highest page number ever used; pages are numbered from 1.</summary>
    public long HighPage => Volatile.Read(ref _highPage);

    /// <summary>Number of pages backed by memory.</summary>
    public long PagesInUse => Volatile.Read(ref _pagesInUse);

    /// <summary>Bytes of pages and of the touched part of the page tables.</summary>
    public long Bytes => ((PagesInUse + Volatile.Read(ref _readyCount)) * PageBytes) + TableBytes;

    /// <summary>Bytes of the touched part of the page tables.</summary>
    public long TableBytes => HighPage * 72;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte* Resolve(long address) => _frameBase[address >> _unitBits] + ((address & _unitMask) << 3);

    public void Prefetch(long address)
    {
        if (Sse.IsSupported)
            Sse.Prefetch0(Resolve(address));
    }

    public long PageOf(long address) => address >> _unitBits;

    public long AddressOf(long page, int unit) => (page << _unitBits) + unit;

    public PageInfo* Info(long page) => _infoBase + page;

    /// <summary>
    /// Allocates a record of at least <paramref name="units"/> units. Until the caller writes its own header, the memory has a dead
    /// record's header of the actual size, which is returned in <paramref name="units"/>.
    /// </summary>
    public byte* Allocate(EpochSlot slot, ref int units, out long address)
    {
        if (TryReuse(slot, ref units, out address))
            return Resolve(address);

        slot.LiveUnits += units;
        if (units > LogChunk.LargestRecord)
            return TakeRun(slot, units, isChunk: false, out address);

        ref LogChunk chunk = ref slot.Chunk;
        if (chunk.UnitsLeft < units)
        {
            CloseChunk(slot);
            TakeRun(slot, LogChunk.Units, isChunk: true, out chunk.Address);
            chunk.UnitsLeft = LogChunk.Units;
        }

        address = chunk.Address;
        byte* place = Resolve(address);
        chunk.UnitsLeft -= units;
        if (chunk.UnitsLeft > 0)
        {
            // Write the header of the rest first, then shrink this record to its own size: a walk sees either the old step or the new ones.
            chunk.Address += units;
            Volatile.Write(ref *(ulong*)(place + (units * 8)), RecordHeader.Filler(chunk.UnitsLeft));
            Volatile.Write(ref *(ulong*)place, RecordHeader.Filler(units));
        }

        return place;
    }

    /// <summary>Marks a record dead and keeps it for reuse. Its bucket must be latched, and no entry may refer to it any more.</summary>
    public void MarkDead(EpochSlot slot, long address)
    {
        byte* record = Resolve(address);
        ulong header = *(ulong*)record;
        int units = RecordHeader.Units(header);
        Debug.Assert((header & RecordHeader.Dead) == 0, "Double free of a record.");
        Volatile.Write(ref *(ulong*)record, RecordHeader.Filler(units));
        slot.LiveUnits -= units;
        KeepForReuse(slot, address, units);
    }

    /// <summary>Releases the rest of a slot's chunk.</summary>
    public void CloseChunk(EpochSlot slot)
    {
        ref LogChunk chunk = ref slot.Chunk;
        if (chunk.Address == 0)
            return;

        long page = PageOf(chunk.Address);
        if (chunk.UnitsLeft > 0)
            KeepForReuse(slot, chunk.Address, chunk.UnitsLeft);

        chunk = default;
        Interlocked.Decrement(ref Info(page)->OpenChunks);
    }

    /// <summary>
    /// True when no new records can appear in a page: it is closed, none of its chunks is open, and every thread that took one has left
    /// since.
    /// </summary>
    public bool IsSettled(long page)
    {
        PageInfo* info = Info(page);
        long closed = Volatile.Read(ref info->ClosedEpoch);
        return closed != 0
            && Volatile.Read(ref info->State) != PageInfo.Free
            && _epochs.IsPast(closed)
            && Volatile.Read(ref info->OpenChunks) == 0;
    }

    /// <summary>Ensures that expiry visits a record's page when the record is due, about a second later at most.</summary>
    public void ScheduleExpiry(long address, long expiresAtMs)
    {
        // Rounded up, so that records with almost the same expiry cost one visit.
        long wake = expiresAtMs < long.MaxValue - 1024 ? (expiresAtMs | 255) + 1 : expiresAtMs;
        ScheduleVisit(PageOf(address), wake);
    }

    /// <summary>Sets the next visit after one has ended, unless an expiry set in the meantime requires an earlier one.</summary>
    public void ScheduleVisit(long page, long wakeAtMs)
    {
        ref long target = ref Info(page)->WakeAtMs;
        long seen = Volatile.Read(ref target);
        while (wakeAtMs < seen)
        {
            long before = Interlocked.CompareExchange(ref target, wakeAtMs, seen);
            if (before == seen)
                return;

            seen = before;
        }
    }

    /// <summary>Closes the page that chunks are taken from, so that the compactor may process it.</summary>
    public void CloseOpenPage(EpochSlot slot)
    {
        long open = Volatile.Read(ref _open.Value);
        if ((open & ((1 << OpenOffsetBits) - 1)) != 0)
            ReplaceOpenPage(slot, open, 0, out _);
    }

    /// <summary>
    /// Keeps a few pages ready whose memory has been touched: the first touch of a large page takes up to several milliseconds on a virtual
    /// machine, which no command should pay. Called by maintenance. An eighth of the log, at most 8 MiB, and at most 1/128 of the memory
    /// limit. True when some had been used.
    /// </summary>
    public bool PreparePages(long limitBytes)
    {
        long wanted = WantedReady(limitBytes);
        bool isBehind = Volatile.Read(ref _readyCount) < wanted;
        while (Volatile.Read(ref _readyCount) < wanted)
        {
            long page = TakeFreePage();
            VirtualMemory.Touch(_frameBase[page], PageBytes);
            Interlocked.Increment(ref _readyCount);
            _readyPages.Push((byte*)_infoBase, sizeof(PageInfo), (uint)page);
        }

        return isBehind;
    }

    /// <summary>
    /// Returns a ready page that has not been needed for a long time; true when there may be more. Called by maintenance.
    /// </summary>
    public bool GiveBackIdle(long limitBytes, long nowMs)
    {
        long tooMany = Volatile.Read(ref _readyCount) - WantedReady(limitBytes);
        _idleExcess = Math.Max(_idleExcess, _idleReady.Note(Math.Max(0, tooMany), nowMs));
        if (_idleExcess <= 0 || tooMany <= 0)
        {
            _idleExcess = 0;
            return false;
        }

        _idleExcess--;
        return TryGiveBackReady();
    }

    /// <summary>Returns a ready page to the system; false when there is none. Called by maintenance.</summary>
    public bool TryGiveBackReady()
    {
        long page = _readyPages.Pop((byte*)_infoBase, sizeof(PageInfo));
        if (page == 0)
            return false;

        Interlocked.Decrement(ref _readyCount);
        VirtualMemory.Renew(_frameBase[page], PageBytes);
        _freePages.Push((byte*)_infoBase, sizeof(PageInfo), (uint)page);
        return true;
    }

    /// <summary>Returns the memory of an emptied page to the system, or keeps the page ready for use; it must be unreachable for all
    /// threads.</summary>
    public void FreePage(EpochSlot slot, long page, long limitBytes)
    {
        slot.DeadUnits -= PageUnits;
        if (Volatile.Read(ref _readyCount) < WantedReady(limitBytes))
        {
            // Clearing it is cheaper than returning it to the system and requesting another page.
            new Span<byte>(_frameBase[page], (int)PageBytes).Clear();
            PageInfo* info = Info(page);
            info->Generation++;
            Volatile.Write(ref info->State, PageInfo.Free);
            Interlocked.Decrement(ref _pagesInUse);
            Interlocked.Increment(ref _readyCount);
            _readyPages.Push((byte*)_infoBase, sizeof(PageInfo), (uint)page);
            return;
        }

        VirtualMemory.Renew(_frameBase[page], PageBytes);
        DiscardPage(page);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (nint segment in _segments)
            VirtualMemory.Release((byte*)segment, SegmentBytes + VirtualMemory.LargePageBytes);

        _frames.Dispose();
        _infos.Dispose();
    }

    // A slightly larger dead record is used whole; the rest of a much larger one becomes a dead record of its own. Records are never merged
    // again: a late write of an access byte may still hit the start of one.
    private bool TryReuse(EpochSlot slot, ref int units, out long address)
    {
        FreeRecords free = slot.Free;
        int whole = units + Math.Max(1, units >> 4);
        int sizeClass = FreeRecords.ClassFor(units);
        while ((sizeClass = free.FirstFrom(sizeClass)) != FreeRecords.None)
        {
            if (sizeClass > whole && sizeClass < units + MinRest)
            {
                sizeClass = units + MinRest;
                continue;
            }

            FreeRecords.Note note = free.Take(sizeClass);
            PageInfo* info = Info(PageOf(note.Address));
            if (info->Generation != note.Generation || Volatile.Read(ref info->State) != PageInfo.InUse)
                continue;

            address = note.Address;
            byte* place = Resolve(address);
            int size = RecordHeader.Units(*(ulong*)place);
            Debug.Assert((*(ulong*)place & RecordHeader.Dead) != 0 && size >= units, "A dead record was modified.");
            if (size > whole)
            {
                // As for chunks: the rest gets its header first.
                Volatile.Write(ref *(ulong*)(place + (units * 8)), RecordHeader.Filler(size - units));
                Volatile.Write(ref *(ulong*)place, RecordHeader.Filler(units));
                free.Add(size - units, address + units, note.Generation);
                size = units;
            }

            Interlocked.Add(ref info->DeadUnits, -size);
            slot.DeadUnits -= size;
            slot.LiveUnits += size;
            units = size;
            return true;
        }

        address = 0;
        return false;
    }

    private long WantedReady(long limitBytes)
    {
        long wanted = Math.Min(MaxReadyBytes / PageBytes, 1 + (PagesInUse / 8));
        return limitBytes == 0 ? wanted : Math.Min(wanted, Math.Max(1, limitBytes / ReadyShare / PageBytes));
    }

    private void KeepForReuse(EpochSlot slot, long address, int units)
    {
        PageInfo* info = Info(PageOf(address));
        Interlocked.Add(ref info->DeadUnits, units);
        slot.DeadUnits += units;
        if (Volatile.Read(ref info->State) == PageInfo.InUse)
            slot.Free.Add(units, address, info->Generation);
    }

    private byte* TakeRun(EpochSlot slot, int units, bool isChunk, out long address)
    {
        while (true)
        {
            long open = Volatile.Read(ref _open.Value);
            long page = open >> OpenOffsetBits;
            int unit = (int)(open & ((1 << OpenOffsetBits) - 1));
            if (unit + units > PageUnits)
            {
                if (!ReplaceOpenPage(slot, open, units, out page))
                    continue;

                unit = 0;
            }
            else if (Interlocked.CompareExchange(ref _open.Value, open + units, open) != open)
            {
                continue;
            }

            if (isChunk)
                Interlocked.Increment(ref Info(page)->OpenChunks);

            address = AddressOf(page, unit);
            byte* place = Resolve(address);
            Volatile.Write(ref *(ulong*)place, RecordHeader.Filler(units));
            return place;
        }
    }

    // Installs a new page whose first units are the caller's; the rest of the old page becomes dead.
    private bool ReplaceOpenPage(EpochSlot slot, long open, int units, out long page)
    {
        page = TakePage();
        if (Interlocked.CompareExchange(ref _open.Value, (page << OpenOffsetBits) | (long)units, open) != open)
        {
            // It was not visible to any other thread.
            DiscardPage(page);
            return false;
        }

        long old = open >> OpenOffsetBits;
        int unit = (int)(open & ((1 << OpenOffsetBits) - 1));
        PageInfo* info = Info(old);
        Interlocked.Add(ref info->DeadUnits, PageUnits - unit);
        slot.DeadUnits += PageUnits - unit;
        while (unit < PageUnits)
        {
            int piece = Math.Min(PageUnits - unit, RecordHeader.MaxUnits);
            Volatile.Write(ref *(ulong*)Resolve(AddressOf(old, unit)), RecordHeader.Filler(piece));
            slot.Free.Add(piece, AddressOf(old, unit), info->Generation);
            unit += piece;
        }

        Volatile.Write(ref info->ClosedEpoch, _epochs.Global);
        return true;
    }

    // Takes a lock although a latch may be held: only when the number of pages reaches a new maximum, never when a page is reused.
    private byte* CarveFrame()
    {
        lock (_carving)
        {
            if (_segmentUsed + PageBytes > SegmentBytes)
            {
                byte* segment = VirtualMemory.Reserve(SegmentBytes + VirtualMemory.LargePageBytes);
                _segments.Add((nint)segment);
                _segment = (byte*)(((long)segment + VirtualMemory.LargePageBytes - 1) & -VirtualMemory.LargePageBytes);
                VirtualMemory.PreferLargePages(_segment, SegmentBytes);
                _segmentUsed = 0;
            }

            byte* frame = _segment + _segmentUsed;
            _segmentUsed += PageBytes;
            VirtualMemory.Commit(frame, PageBytes);
            return frame;
        }
    }

    private void DiscardPage(long page)
    {
        PageInfo* info = Info(page);
        info->Generation++;
        Volatile.Write(ref info->State, PageInfo.Free);
        Interlocked.Decrement(ref _pagesInUse);
        _freePages.Push((byte*)_infoBase, sizeof(PageInfo), (uint)page);
    }

    private long TakePage()
    {
        long page = _readyPages.Pop((byte*)_infoBase, sizeof(PageInfo));
        if (page != 0)
            Interlocked.Decrement(ref _readyCount);
        else
            page = TakeFreePage();

        PageInfo* info = Info(page);
        info->DeadUnits = 0;
        info->OpenChunks = 0;
        info->ClosedEpoch = 0;
        info->WakeAtMs = long.MaxValue;
        Volatile.Write(ref info->State, PageInfo.InUse);
        Interlocked.Increment(ref _pagesInUse);
        return page;
    }

    private long TakeFreePage()
    {
        long page = _freePages.Pop((byte*)_infoBase, sizeof(PageInfo));
        if (page == 0)
        {
            page = Interlocked.Increment(ref _highPage);
            if (page >= MaxPages)
                throw new OutOfMemoryException("The log ran out of page numbers.");

            _frames.Ensure((page + 1) * 8);
            _infos.Ensure((page + 1) * sizeof(PageInfo));
            _frameBase[page] = CarveFrame();
        }

        return page;
    }
}
