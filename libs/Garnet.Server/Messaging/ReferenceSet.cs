// A set of objects in as few bytes as possible: most channels have one subscriber. Guarded by its user's lock.
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Garnet.Server.Messaging;

/// <summary>
/// Objects compared by reference. A single one is stored in the field itself; more in a table with linear probing, filled to at most seven
/// eighths, from which objects are removed without tombstones.
/// </summary>
internal struct ReferenceSet<T>
    where T : class
{
    private const int FirstSlots = 4;

    private object? _items; // null, the only object, or the table
    private int _count;

    /// <summary>Number of objects.</summary>
    public readonly int Count => _count;

    /// <summary>Bytes of the table.</summary>
    public readonly long MemoryBytes => Table is { } table ? (table.Length + 2L) * IntPtr.Size : 0;

    /// <summary>The objects, with nulls among them. Invalid once the set changes.</summary>
    [UnscopedRef]
    public readonly ReadOnlySpan<T?> Slots =>
        Table is { } table ? table : new ReadOnlySpan<T?>(in Unsafe.As<object?, T?>(ref Unsafe.AsRef(in _items)));

    private readonly T?[]? Table
    {
        get
        {
            object? items = _items;
            return items is not null && items.GetType() == typeof(T[]) ? Unsafe.As<T?[]>(items) : null;
        }
    }

    /// <summary>Whether the object is in the set.</summary>
    public readonly bool Contains(T item) =>
        Table is { } table ? Find(table, item) is var slot && table[slot] is not null : ReferenceEquals(_items, item);

    /// <summary>Adds an object; false when it is there already.</summary>
    public bool Add(T item)
    {
        if (_items is null)
        {
            _items = item;
            _count = 1;
            return true;
        }

        if (ReferenceEquals(_items, item))
            return false;
        T?[] table = Table ?? Resize(FirstSlots);
        int slot = Find(table, item);
        if (table[slot] is not null)
            return false;
        // At least one slot stays free, or the search for an absent object would not end.
        if (_count + 1 > table.Length - Math.Max(1, table.Length / 8))
        {
            table = Resize(table.Length * 2);
            slot = Find(table, item);
        }

        table[slot] = item;
        _count++;
        return true;
    }

    /// <summary>Removes an object; false when it is not there.</summary>
    public bool Remove(T item)
    {
        if (Table is not { } table)
        {
            if (!ReferenceEquals(_items, item))
                return false;
            Clear();
            return true;
        }

        int slot = Find(table, item);
        if (table[slot] is null)
            return false;
        Close(table, slot);
        if (--_count == 0)
            Clear();
        else if (_count <= table.Length / 4)
            Resize(_count == 1 ? 1 : table.Length / 2);
        return true;
    }

    /// <summary>Removes everything.</summary>
    public void Clear()
    {
        _items = null;
        _count = 0;
    }

    // The slot of the object, or the free slot at which its search ends.
    private static int Find(T?[] table, T item)
    {
        int slot = Home(table, item);
        while (table[slot] is { } other && !ReferenceEquals(other, item))
            slot = (slot + 1) & (table.Length - 1);
        return slot;
    }

    // Fibonacci hashing: the high bits of the product.
    private static int Home(T?[] table, T item) =>
        (int)(((uint)RuntimeHelpers.GetHashCode(item) * 0x9E3779B9u) >> (32 - System.Numerics.BitOperations.Log2((uint)table.Length)));

    // Moves later objects of the same run forward, so that no search ends early.
    private static void Close(T?[] table, int hole)
    {
        int mask = table.Length - 1;
        for (int next = (hole + 1) & mask; table[next] is { } item; next = (next + 1) & mask)
        {
            if (((next - Home(table, item)) & mask) < ((next - hole) & mask))
                continue;
            table[hole] = item;
            hole = next;
        }

        table[hole] = null;
    }

    private T?[] Resize(int slots)
    {
        T?[] resized = slots == 1 ? [] : new T?[slots];
        foreach (T? item in Slots)
        {
            if (item is null)
                continue;
            if (slots == 1)
                _items = item;
            else
                resized[Find(resized, item)] = item;
        }

        if (slots != 1)
            _items = resized;
        return resized;
    }
}
