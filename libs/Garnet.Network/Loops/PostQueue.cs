// Multi-producer, single-consumer queue of work items: two arrays that are swapped, so that posting allocates nothing once they have grown.
// Guarded by its lock; the array being taken belongs to the consumer. The lock also guards which loop owns a connection.
using Garnet.Network.Connections;

namespace Garnet.Network.Loops;

internal sealed class PostQueue
{
    private const int InitialLength = 64;
    private const int KeptLength = 4096; // larger arrays after a burst are dropped again

    internal readonly Lock Gate = new();

    private WorkItem[] _incoming = new WorkItem[InitialLength];
    private WorkItem[] _spare = new WorkItem[InitialLength];
    private int _count;
    private int _spareCount;
    private int _taken;

    /// <summary>Set under the gate when the consumer has ended: nothing can be added any more.</summary>
    internal bool Closed { get; private set; }

    /// <summary>A hint outside the gate, exact inside it.</summary>
    internal bool IsEmpty => Volatile.Read(ref _count) == 0;

    /// <summary>Call with the gate held.</summary>
    internal void Add(in WorkItem item)
    {
        if (_count == _incoming.Length)
            Array.Resize(ref _incoming, _count * 2);
        _incoming[_count] = item;
        Volatile.Write(ref _count, _count + 1);
    }

    /// <summary>Makes everything added so far the next items to take, once the earlier ones have been taken.</summary>
    internal void BeginTaking()
    {
        // The previous batch has been run: clear its references before the array is filled again.
        if (_spare.Length > KeptLength)
            _spare = new WorkItem[InitialLength];
        else
            Array.Clear(_spare, 0, _spareCount);
        lock (Gate)
        {
            (_incoming, _spare) = (_spare, _incoming);
            _spareCount = _count;
            Volatile.Write(ref _count, 0);
        }
        _taken = 0;
    }

    /// <summary>The next item of the batch; a round within another one continues with the rest of its batch.</summary>
    internal bool TryTake(out WorkItem item)
    {
        bool hasMore = _taken < _spareCount;
        item = hasMore ? _spare[_taken++] : default;
        return hasMore;
    }

    /// <summary>Moves a connection's items to another queue in order. Call with both gates held.</summary>
    internal void MoveItems(StreamConnection connection, PostQueue target)
    {
        int kept = 0;
        for (int i = 0; i < _count; i++)
        {
            if (ReferenceEquals(_incoming[i].Connection, connection))
                target.Add(_incoming[i]);
            else
                _incoming[kept++] = _incoming[i];
        }
        Array.Clear(_incoming, kept, _count - kept);
        Volatile.Write(ref _count, kept);
    }

    /// <summary>Nothing can be added any more. Call with the gate held.</summary>
    internal void Close() => Closed = true;
}
