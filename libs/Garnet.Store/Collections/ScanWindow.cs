// Selects the elements of a packed collection that one call of a scan visits. Lives on the stack of that call.
using System.Buffers;
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections;

/// <summary>
/// A packed collection that reports its large encoding is scanned by the same positions as a tree (<see cref="TreeEntry.ScanPosition"/>),
/// so that COUNT is honoured and a cursor survives the change from one form to the other. <see cref="Add"/> each position, then call
/// <see cref="Close"/>, and visit the elements for which <see cref="Has"/> returns true.
/// </summary>
internal ref struct ScanWindow
{
    private readonly ulong _from;
    private long[]? _positions;
    private int _added;
    private long _last;

    /// <summary>Starts a window at a cursor, for a collection with that many elements.</summary>
    public ScanWindow(ulong from, long elements)
    {
        _from = from;
        _positions = ArrayPool<long>.Shared.Rent(checked((int)elements));
        _last = -1;
    }

    /// <summary>Adds the position of an element.</summary>
    public void Add(long position)
    {
        if ((ulong)position >= _from)
            _positions![_added++] = position;
    }

    /// <summary>
    /// Limits the window to <paramref name="count"/> elements, plus those that share the last one's position. Returns the next cursor, 0 at
    /// the end.
    /// </summary>
    public ulong Close(int count)
    {
        Span<long> positions = _positions.AsSpan(0, _added);
        positions.Sort();
        int end = Math.Min(Math.Max(count, 1), positions.Length);
        if (end > 0)
            _last = positions[end - 1];

        while (end < positions.Length && positions[end] == _last)
            end++;

        long next = end < positions.Length ? positions[end] : 0;
        ArrayPool<long>.Shared.Return(_positions!);
        _positions = null;
        return (ulong)next;
    }

    /// <summary>Whether the element at a position is to be visited; valid once the window is closed.</summary>
    public readonly bool Has(long position) => (ulong)position >= _from && position <= _last;
}
