// The tier's thread: writes buffers, publishes what nobody else does, cleans segments.
using System.Runtime.InteropServices;
using Garnet.Store.Eviction;
using Garnet.Store.Records;

namespace Garnet.Store.Tiering;

/// <summary>
/// Its turns are run by one thread, or by a test. A segment is cleaned by reading it: objects to which a record still refers are written
/// again elsewhere or, when the disk is full and the policy allows it, their keys are deleted.
/// </summary>
internal sealed unsafe class TierMover(HybridLogStore store, ColdTier tier, ITierDevice device) : IDisposable
{
    private const int IdleMs = 20;
    private const int BusyMs = 1;
    private const int TidyMs = 100;
    private const int WritersPatienceMs = 50;
    private const int TurnsOfPublishing = 32;
    private const int ObjectsPerCommand = 16;
    private static readonly TimeSpan StopPatience = TimeSpan.FromSeconds(20);
    private readonly AutoResetEvent _wake = new(false);
    private readonly Lock _turns = new();
    private StoreSession? _session;
    private Thread? _thread;
    private (WriteBuffer? Buffer, int Moves) _seen;
    private long _seenAtMs;
    private long _tidiedAtMs;
    private bool _isStopping;

    /// <summary>Starts the thread.</summary>
    public void Start()
    {
        _thread = new Thread(Loop) { IsBackground = true, Name = "garnet-tier" };
        _thread.Start();
    }

    /// <summary>There is something to do.</summary>
    public void Wake() => _wake.Set();

    /// <summary>One turn on the calling thread, which must not be in a batch; true when more is due soon.</summary>
    /// <param name="publishes">Whether to publish at once what sessions could still publish themselves.</param>
    public bool Run(bool publishes = false)
    {
        lock (_turns)
        {
            _session ??= store.OpenSession();
            bool isBusy = tier.BeginWrites(publishes);
            (WriteBuffer? Buffer, int Moves) progress = tier.Progress;
            if (progress != _seen)
                (_seen, _seenAtMs) = (progress, Environment.TickCount64);
            // The memory of a record goes to whoever publishes its stub: writers use it again at once, this thread has no use for it.
            bool isLeftAlone = Environment.TickCount64 - _seenAtMs >= (HasWriters ? WritersPatienceMs : 0);
            if (progress.Buffer is { Result: >= 0 } && (publishes || isLeftAlone))
                Publish();
            if (tier.ChooseToClean(MayDelete, out bool deletes) is >= 0 and int segment)
                isBusy |= Clean(segment, deletes);
            if (Environment.TickCount64 - _tidiedAtMs >= TidyMs)
            {
                _tidiedAtMs = Environment.TickCount64;
                tier.Loads.Tidy();
            }

            return isBusy || tier.IsMoving;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Volatile.Write(ref _isStopping, true);
        _wake.Set();
        if (_thread is not null && !_thread.Join(StopPatience))
            Environment.FailFast("The tier's thread did not stop.");
        // What is being written must have been before its memory is freed.
        SpinWait.SpinUntil(() => !tier.IsWriting, StopPatience);
        _session?.Dispose();
        _wake.Dispose();
    }

    // Under policies that may delete only some keys, the commands delete those that are in memory.
    private bool MayDelete => store.Eviction is { IsVolatile: false, Policy: not EvictionPolicy.NoEviction } && !store.Holds.Evicted();

    private bool HasWriters => store.Budget.HasWriters || store.Budget.HasWaiters;

    private void Loop()
    {
        bool isBusy = false;
        while (!Volatile.Read(ref _isStopping))
        {
            _wake.WaitOne(isBusy ? BusyMs : IdleMs);
            isBusy = Run();
        }
    }

    private void Publish()
    {
        _session!.EnterBatch();
        for (int i = 0; i < TurnsOfPublishing && tier.Publish(_session, out _); i++)
            _session.EndCommand();
        _session.LeaveBatch();
    }

    // False when there was no space for all that is alive.
    private bool Clean(int segment, bool deletes)
    {
        // Where an object lies across two reads, the second begins up to a unit of the device before it.
        int size = tier.Options.BufferBytes + device.Alignment;
        byte* memory = (byte*)NativeMemory.AlignedAlloc((nuint)size, (nuint)device.Alignment);
        int error = 0;
        try
        {
            int written = tier.Segments.WrittenOf(segment);
            long errors = tier.Statistics.WriteErrors;
            for (int offset = 0; offset < written && !Volatile.Read(ref _isStopping); )
            {
                int begin = offset & -device.Alignment;
                int bytes = Math.Min(size, written - begin);
                // A disk that hangs does not keep the server from ending.
                long position = tier.Segments.PositionOf(segment) + begin;
                error = SegmentRead.Read(device, position, (nint)memory, bytes, () => Volatile.Read(ref _isStopping));
                if (error > 0)
                    tier.Statistics.ReadFailed(error);
                if (error != 0)
                    return false;
                int end = CleanPart(segment, begin, offset - begin, memory, bytes, deletes);
                if (end <= offset)
                    return false;
                offset = end;
            }

            Flush();
            if (!Volatile.Read(ref _isStopping) && tier.Statistics.WriteErrors == errors)
                tier.RetireUnlessDead(segment);
            return true;
        }
        finally
        {
            if (error != SegmentRead.Abandoned)
                NativeMemory.AlignedFree(memory);
        }
    }

    // What was moved elsewhere is published before another segment is chosen.
    private void Flush()
    {
        while (tier.IsRelocating && !Volatile.Read(ref _isStopping))
        {
            if (!tier.BeginWrites(isForced: true))
                _wake.WaitOne(BusyMs);
            Publish();
        }
    }

    // Returns the position in the segment up to which objects were dealt with; 0 when there was no space to go on.
    private int CleanPart(int segment, int begin, int at, byte* memory, int bytes, bool deletes)
    {
        var part = new SegmentPart(memory, bytes, tier, segment, begin, device.Alignment) { At = at };
        int objects = 0;
        _session!.EnterBatch();
        try
        {
            while (part.MoveNext())
            {
                if (!CleanObject(part.Current, part.Locator, deletes))
                    return 0;
                if (++objects % ObjectsPerCommand == 0)
                    _session.EndCommand();
            }

            return begin + part.At;
        }
        finally
        {
            _session.LeaveBatch();
        }
    }

    // False when there was no space for it.
    private bool CleanObject(byte* at, ColdLocator locator, bool deletes)
    {
        var header = (TierObject*)at;
        long bucket = store.Index.Latch(header->Hash);
        try
        {
            byte* stub = ColdRecord.FindStub(store, bucket, header->Hash, locator);
            if (stub == null)
                return true;
            if (deletes)
            {
                // The server's role may have changed since the segment was chosen.
                if (!store.Snapshots.HasSpace || store.Holds.Evicted())
                    return false;
                store.Snapshots.Round?.BeforeChange(stub, _session!.Slot, TierObject.ValueOf(at));
                Delete(stub, header->Hash, bucket);
                return true;
            }

            return tier.TryRelocate(header->Hash, locator, TierObject.ValueOf(at), header->Form);
        }
        finally
        {
            store.Index.Release(bucket);
        }
    }

    private void Delete(byte* stub, ulong hash, long bucket)
    {
        ulong header = *(ulong*)stub;
        int physical = RecordHeader.Physical(header);
        int logical = store.Databases.Map.LogicalOf(physical);
        var key = new LatchedKey(_session!, RecordHeader.Key(stub, header), hash, logical, physical, bucket);
        if (logical < 0)
        {
            key.RemoveFlushed();
            return;
        }

        key.Evict();
        tier.Statistics.DeletedOne();
    }
}
