// A list in scratch memory. Owned by one command or reply at a time.
namespace Garnet.Store.Memory;

/// <summary>
/// A growable list; spans of it are invalid after the next addition. After disposal it is empty and can be used again.
/// </summary>
/// <typeparam name="T">The item type.</typeparam>
internal sealed unsafe class ScratchList<T> : IDisposable
    where T : unmanaged
{
    private const int FirstCapacity = 16;
    private ScratchBlock _block;
    private T* _items;
    private int _capacity;
    private int _count;

    /// <summary>Number of items.</summary>
    public int Count => _count;

    /// <summary>The items.</summary>
    public Span<T> Span => new(_items, _count);

    /// <summary>An item.</summary>
    public ref T this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)_count, nameof(index));
            return ref _items[index];
        }
    }

    /// <summary>Adds an item.</summary>
    public void Add(in T item)
    {
        if (_count == _capacity)
            Grow(_count + 1L);
        _items[_count++] = item;
    }

    /// <summary>Adds <paramref name="count"/> items with undefined contents, and returns all items.</summary>
    public Span<T> AddUnset(int count)
    {
        long wanted = (long)_count + count;
        if (wanted > _capacity)
            Grow(wanted);
        _count = (int)wanted;
        return Span;
    }

    /// <summary>Removes the items from a number on; the memory is kept.</summary>
    public void Truncate(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)count, (uint)_count, nameof(count));
        _count = count;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _block.Release();
        _block = default;
        _items = null;
        _capacity = 0;
        _count = 0;
    }

    private void Grow(long wanted)
    {
        if (wanted > int.MaxValue)
            throw new OutOfMemoryException("A scratch list exceeds 2^31 items.");
        long capacity = Math.Max(wanted, Math.Min(int.MaxValue, Math.Max(FirstCapacity, 2L * _count)));
        ScratchBlock larger = ScratchMemory.Rent(capacity * sizeof(T));
        Span<T> items = larger.As<T>();
        Span.CopyTo(items);
        _block.Release();
        _block = larger;
        _items = larger.Pointer<T>();
        _capacity = items.Length;
    }
}
