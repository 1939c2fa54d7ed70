// Native memory for nodes of trees: size classes in aligned spans. Thread-safe; a spin lock per class is held for a few instructions.
using System.Diagnostics;
using System.Runtime.InteropServices;
using Garnet.Store.Memory;

namespace Garnet.Store.Collections.Trees;

/// <summary>
/// Allocates nodes of up to <see cref="NodeClasses.MaxBytes"/>. A span whose last node is freed can be reused by any class;
/// <see cref="GiveBack"/> returns free spans beyond a limit to the system, and <see cref="Prepare"/> touches a few in advance, so that a
/// writer under a latch does not wait for page faults.
/// </summary>
internal sealed unsafe class NodeHeap : IDisposable
{
    private const long RegionBytes = 64L << 20;
    private const int ClassStride = 64;

    /// <summary>Number of free spans kept while memory is not tight.</summary>
    public const int MaxFreeSpans = 128;

    private const int FewestSpansAhead = 8;
    private const int MaxSpansAhead = 64;

    // Spans returned at once: a few ms of system time.
    private const int SpansPerRound = 128;
    private readonly byte* _classes = (byte*)NativeMemory.AlignedAlloc((nuint)(NodeClasses.Count * ClassStride), ClassStride);
    private readonly Lock _spans = new();
    private readonly List<nint> _regions = [];
    private readonly Stack<nint> _free = new();
    private readonly Stack<nint> _untouched = new();
    private byte* _region;
    private long _regionUsed = RegionBytes;
    private long _spanCount;

    public NodeHeap() => NativeMemory.Clear(_classes, (nuint)(NodeClasses.Count * ClassStride));

    /// <summary>Bytes of spans in use and of free ones kept for reuse.</summary>
    public long Bytes => Volatile.Read(ref _spanCount) * NodeClasses.SpanBytes;

    /// <summary>Nodes in use; exact only while no thread allocates or frees.</summary>
    public long LiveNodes
    {
        get
        {
            long nodes = 0;
            for (int i = 0; i < NodeClasses.Count; i++)
                nodes += Volatile.Read(ref Class(i)->Live);

            return nodes;
        }
    }

    /// <summary>Bytes of nodes in use; exact only while no thread allocates or frees.</summary>
    public long LiveBytes
    {
        get
        {
            long bytes = 0;
            for (int i = 0; i < NodeClasses.Count; i++)
                bytes += Volatile.Read(ref Class(i)->Live) * NodeClasses.BytesOf(i);

            return bytes;
        }
    }

    /// <summary>Number of free spans.</summary>
    public int FreeSpans
    {
        get
        {
            lock (_spans)
                return _free.Count;
        }
    }

    /// <summary>Number of free spans beyond those that <see cref="Prepare"/> keeps ready.</summary>
    public int SpareSpans
    {
        get
        {
            lock (_spans)
                return Math.Max(0, _free.Count - SpansAhead);
        }
    }

    /// <summary>A node of at least that many bytes (rounded up to its class), not zeroed, aligned to 16.</summary>
    public byte* Allocate(int bytes)
    {
        int number = NodeClasses.Of(bytes);
        SizeClass* sizeClass = Class(number);
        SpinLatch.Enter(ref sizeClass->Lock);
        NodeSpan* span = sizeClass->Partial;
        if (span == null)
            span = AddSpan(sizeClass, number);

        byte* node = span->Free;
        if (node != null)
            span->Free = *(byte**)node;
        else
            node = (byte*)span + NodeClasses.SpanHeaderBytes + (span->Carved++ * (long)NodeClasses.BytesOf(number));

        if (++span->Used == span->Capacity)
            Unlink(sizeClass, span);

        sizeClass->Live++;
        SpinLatch.Exit(ref sizeClass->Lock);
        return node;
    }

    /// <summary>Frees a node.</summary>
    public void Free(void* node)
    {
        NodeSpan* span = NodeSpan.Of(node);
        SizeClass* sizeClass = Class(span->SizeClass);
        SpinLatch.Enter(ref sizeClass->Lock);
        Debug.Assert(
            span->Used > 0 && ((byte*)node - (byte*)span - NodeClasses.SpanHeaderBytes) % NodeClasses.BytesOf(span->SizeClass) == 0,
            "Freed an address that is not an allocated node."
        );
        *(byte**)node = span->Free;
        span->Free = (byte*)node;
        sizeClass->Live--;
        bool isEmpty = --span->Used == 0;
        if (span->Used == span->Capacity - 1)
            Link(sizeClass, span);

        // The last span with free nodes is kept, so that a class does not repeatedly take and return one.
        isEmpty = isEmpty && (span->Next != null || span->Previous != null);
        if (isEmpty)
            Unlink(sizeClass, span);

        SpinLatch.Exit(ref sizeClass->Lock);
        if (isEmpty)
        {
            lock (_spans)
                _free.Push((nint)span);
        }
    }

    /// <summary>
    /// Returns some of the free spans beyond a limit, or all of them, to the system; called by maintenance, outside of latches. True when
    /// more remain.
    /// </summary>
    public bool GiveBack(bool everything = false, int kept = MaxFreeSpans)
    {
        ReleaseEmptyPartials();
        for (int left = SpansPerRound; left > 0 || everything; left--)
        {
            nint span;
            lock (_spans)
            {
                if (_free.Count <= (everything ? 0 : kept))
                    return false;

                span = _free.Pop();
                _spanCount--;
            }

            VirtualMemory.Renew((byte*)span, NodeClasses.SpanBytes);
            lock (_spans)
                _untouched.Push(span);
        }

        return true;
    }

    /// <summary>Touches a few spans in advance once trees are in use; called by maintenance, outside of latches.</summary>
    public void Prepare()
    {
        while (true)
        {
            byte* span;
            lock (_spans)
            {
                if (_free.Count >= SpansAhead)
                    return;

                span = TakeUntouched();
            }

            VirtualMemory.Touch(span, NodeClasses.SpanBytes);
            lock (_spans)
                _free.Push((nint)span);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (nint region in _regions)
            VirtualMemory.Release((byte*)region, RegionBytes);

        NativeMemory.AlignedFree(_classes);
    }

    private int SpansAhead => _spanCount < FewestSpansAhead ? 0 : (int)Math.Clamp(_spanCount / 8, FewestSpansAhead, MaxSpansAhead);

    private SizeClass* Class(int number) => (SizeClass*)(_classes + (number * ClassStride));

    private static void Link(SizeClass* sizeClass, NodeSpan* span)
    {
        span->Previous = null;
        span->Next = sizeClass->Partial;
        if (span->Next != null)
            span->Next->Previous = span;

        sizeClass->Partial = span;
    }

    private static void Unlink(SizeClass* sizeClass, NodeSpan* span)
    {
        if (span->Previous != null)
            span->Previous->Next = span->Next;
        else
            sizeClass->Partial = span->Next;

        if (span->Next != null)
            span->Next->Previous = span->Previous;

        span->Next = null;
        span->Previous = null;
    }

    private NodeSpan* AddSpan(SizeClass* sizeClass, int number)
    {
        NodeSpan* span;
        lock (_spans)
            span = (NodeSpan*)(_free.TryPop(out nint free) ? (byte*)free : TakeUntouched());

        span->Free = null;
        span->SizeClass = number;
        span->Used = 0;
        span->Carved = 0;
        span->Capacity = (NodeClasses.SpanBytes - NodeClasses.SpanHeaderBytes) / NodeClasses.BytesOf(number);
        Link(sizeClass, span);
        return span;
    }

    private byte* TakeUntouched()
    {
        _spanCount++;
        if (_untouched.TryPop(out nint span))
            return (byte*)span;

        if (_regionUsed + NodeClasses.SpanBytes > RegionBytes)
        {
            _region = VirtualMemory.Reserve(RegionBytes);
            _regions.Add((nint)_region);
            VirtualMemory.PreferLargePages(_region, RegionBytes);
            _regionUsed = (NodeClasses.SpanBytes - ((nint)_region & (NodeClasses.SpanBytes - 1))) & (NodeClasses.SpanBytes - 1);
        }

        byte* fresh = _region + _regionUsed;
        _regionUsed += NodeClasses.SpanBytes;
        VirtualMemory.Commit(fresh, NodeClasses.SpanBytes);
        return fresh;
    }

    private void ReleaseEmptyPartials()
    {
        for (int i = 0; i < NodeClasses.Count; i++)
        {
            SizeClass* sizeClass = Class(i);
            SpinLatch.Enter(ref sizeClass->Lock);
            NodeSpan* span = sizeClass->Partial;
            while (span != null)
            {
                NodeSpan* next = span->Next;
                if (span->Used == 0)
                {
                    Unlink(sizeClass, span);
                    lock (_spans)
                        _free.Push((nint)span);
                }

                span = next;
            }

            SpinLatch.Exit(ref sizeClass->Lock);
        }
    }

    private struct SizeClass
    {
        public int Lock;
        public long Live;
        public NodeSpan* Partial;
    }
}
