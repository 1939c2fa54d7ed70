// Lends builders of strings. Used by the thread that runs the state; the memory of those that wait is read by any thread.
using System.Diagnostics;

namespace Garnet.Lua.Execution;

/// <summary>
/// The builders that library functions have in use, which count as live memory, and a few that wait for their next use. After an error,
/// whoever catches it gives back those that were rented meanwhile.
/// </summary>
internal sealed class BuilderPool(LuaHeap heap)
{
    private const int MaxWaiting = 4;

    private readonly ByteBuilder?[] _waiting = new ByteBuilder?[MaxWaiting];
    private readonly List<ByteBuilder> _rented = [];
    private int _waitingCount;
    private long _waitingBytes;

    /// <summary>How many builders are in use.</summary>
    public int RentedCount => _rented.Count;

    /// <summary>The memory of the builders in use.</summary>
    public long RentedBytes
    {
        get
        {
            long bytes = 0;
            foreach (ByteBuilder builder in _rented)
                bytes += builder.Capacity;
            return bytes;
        }
    }

    /// <summary>The memory of those that wait. Any thread.</summary>
    public long WaitingBytes => Volatile.Read(ref _waitingBytes);

    /// <summary>An empty builder.</summary>
    public ByteBuilder Rent()
    {
        ByteBuilder builder;
        if (_waitingCount > 0)
        {
            builder = _waiting[--_waitingCount]!;
            _waitingBytes -= builder.Capacity;
        }
        else
        {
            builder = new ByteBuilder(heap);
        }

        _rented.Add(builder);
        return builder;
    }

    /// <summary>Takes back the builder that was rented last of those in use.</summary>
    public void Return(ByteBuilder builder)
    {
        Debug.Assert(ReferenceEquals(_rented[^1], builder), "builders are given back in the reverse order");
        Unwind(_rented.Count - 1);
    }

    /// <summary>Takes back all builders but the first ones.</summary>
    public void Unwind(int count)
    {
        for (int i = _rented.Count - 1; i >= count; i--)
        {
            if (_waitingCount < MaxWaiting)
            {
                _rented[i].Reset();
                _waiting[_waitingCount++] = _rented[i];
                _waitingBytes += _rented[i].Capacity;
            }

            _rented.RemoveAt(i);
        }
    }
}
