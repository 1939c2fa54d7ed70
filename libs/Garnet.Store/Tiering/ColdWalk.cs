// Passes the keys whose values are on disk to a snapshot, in the order in which they are there. Used by the thread that saves.
using System.Runtime.InteropServices;
using Garnet.Store.Snapshots;

namespace Garnet.Store.Tiering;

/// <summary>
/// Reads segment by segment, each byte once; the key of an object that is still as it was at the flip is found by the hash that stands
/// before it. What cannot be read, or is moved elsewhere meanwhile, is left to the second walk over memory.
/// </summary>
internal sealed unsafe class ColdWalk : IDisposable
{
    private const int ObjectsPerCommand = 16;
    private readonly HybridLogStore _store;
    private readonly ColdTier _tier;
    private readonly StoreSession _session;
    private readonly int _size;
    private byte* _memory;
    private SegmentPart _part;
    private int _segment = -1;
    private int _begin;
    private int _written;

    /// <summary>Begins at the first segment.</summary>
    /// <param name="session">The session of the thread.</param>
    public ColdWalk(StoreSession session)
    {
        _store = session.Store;
        _session = session;
        _tier = _store.Tier!;
        // Where an object lies across two reads, the second begins up to a unit of the device before it.
        _size = _tier.Options.BufferBytes + _tier.Loads.Device.Alignment;
        _memory = (byte*)NativeMemory.AlignedAlloc((nuint)_size, (nuint)_tier.Loads.Device.Alignment);
    }

    /// <summary>Whether there are objects to pass before the next part is read.</summary>
    public bool HasPart { get; private set; }

    /// <summary>Reads the next part if the last one is over; false when there is none. Not in a batch: it waits for the disk.</summary>
    /// <exception cref="IOException">The disk does not answer.</exception>
    public bool TryRead()
    {
        while (!HasPart)
        {
            if (_segment < 0 || _begin >= _written)
            {
                _segment = _tier.Segments.NextLive(_segment);
                if (_segment < 0)
                    return false;
                (_begin, _written) = (0, _tier.Segments.WrittenOf(_segment));
                continue;
            }

            ReadPart();
        }

        return true;
    }

    /// <summary>Passes some objects of the part that was read. In a batch, without a latch.</summary>
    /// <param name="walker">Takes records instead of the snapshot's sink.</param>
    /// <param name="objects">How many, at most.</param>
    public void Pass(ISnapshotWalker walker, int objects)
    {
        SnapshotRound round = _store.Snapshots.Round ?? throw new InvalidOperationException("No snapshot is active.");
        for (int i = 1; i <= objects && HasPart; i++)
        {
            HasPart = _part.MoveNext();
            if (HasPart)
                PassOne(round, walker);
            else
                _begin = EndOfPart();
            if (i % ObjectsPerCommand == 0)
                _session.EndCommand();
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        NativeMemory.AlignedFree(_memory);
        _memory = null;
    }

    private void PassOne(SnapshotRound round, ISnapshotWalker walker)
    {
        ulong hash = ((TierObject*)_part.Current)->Hash;
        long bucket = _store.Index.Latch(hash);
        try
        {
            byte* stub = ColdRecord.FindStub(_store, bucket, hash, _part.Locator);
            if (stub != null)
                round.Walk(stub, TierObject.ValueOf(_part.Current), _session.Slot, walker);
        }
        finally
        {
            _store.Index.Release(bucket);
        }
    }

    private void ReadPart()
    {
        int from = _begin & -_tier.Loads.Device.Alignment;
        int bytes = Math.Min(_size, _written - from);
        long begunAtMs = Environment.TickCount64;
        int error = SegmentRead.Read(
            _tier.Loads.Device,
            _tier.Segments.PositionOf(_segment) + from,
            (nint)_memory,
            bytes,
            () => Environment.TickCount64 - begunAtMs > _tier.Options.ReadTimeoutSeconds * 1000L
        );
        if (error == SegmentRead.Abandoned)
        {
            // Its answer may still come.
            _memory = null;
            throw new IOException("The disk with the values that are not in memory does not answer.");
        }

        if (error != 0)
        {
            _begin = _written;
            return;
        }

        _part = new SegmentPart(_memory, bytes, _tier, _segment, from, _tier.Loads.Device.Alignment) { At = _begin - from };
        HasPart = true;
    }

    // Where the next part begins; the end of the segment if this one has not led on.
    private int EndOfPart()
    {
        int end = (_begin & -_tier.Loads.Device.Alignment) + _part.At;
        return end > _begin ? end : _written;
    }
}
