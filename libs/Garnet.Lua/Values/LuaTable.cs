// Tables of scripts: an array part and a hash part. Used by the thread that runs the state; read-only tables by any thread.
using System.Numerics;
using System.Runtime.CompilerServices;
using Garnet.Lua.Execution;

namespace Garnet.Lua.Values;

/// <summary>
/// Integer keys 1..n live in the array part while more than half of it is in use; all others in the hash part, a table of nodes with
/// chained collisions: a key that finds its main position taken by a key that does not belong there moves that one to the last free node.
/// When no node is free, both parts get new sizes. The order of the nodes is the order of pairs, and it is Lua 5.1's.
/// Of the array part only the first places are filled; those behind them are absent whatever they hold, so that a part that grows need not
/// be filled with nil first.
/// </summary>
internal sealed class LuaTable
{
    /// <summary>What an empty table reports as its size, and what a node of the hash part and a slot of the array part take.</summary>
    public const int EmptyBytes = 96;

    private const int NodeBytes = 40;
    private const int SlotBytes = 16;
    private const int MaxBits = 26;

    // What costs more than that counts as work of the script, and the fast paths leave it to the slow ones.
    private const int LongKey = 256;
    private const int LongChain = 8;
    private const int LongGap = 32;

    private static Node EmptyNode =>
        new()
        {
            Key = LuaValue.Nil,
            Value = LuaValue.Nil,
            Next = -1,
        };

    // One node that is never written, so that a look-up in a table without a hash part needs no special case.
    private static readonly Node[] NoNodes = [EmptyNode];

    private readonly LuaHeap? _heap;
    private LuaValue[] _array;
    private int _arraySize;
    private int _filled;
    private Node[] _nodes;
    private int _lastFree;
    private Node[]?[]? _spareNodes; // of earlier uses, by the logarithm of their length

    /// <summary>A table whose memory is counted by <paramref name="heap"/>; one without belongs to no state.</summary>
    public LuaTable(LuaHeap? heap = null)
    {
        _heap = heap;
        _array = [];
        _nodes = NoNodes;
    }

    public LuaTable? Metatable;

    /// <summary>A bit for each metamethod that is known to be absent while this table is a metatable.</summary>
    public uint AbsentEvents;

    /// <summary>The last walk over the live values that met this table.</summary>
    public int Mark;

    /// <summary>Whether the state uses the object again after the run.</summary>
    public bool IsPooled;

    /// <summary>Scripts cannot change the table; set once, before it is shared.</summary>
    public bool IsReadOnly;

    /// <summary>The memory that the table takes.</summary>
    public long Bytes =>
        EmptyBytes + ((long)_array.Length * SlotBytes) + (ReferenceEquals(_nodes, NoNodes) ? 0 : (long)_nodes.Length * NodeBytes);

    /// <summary>A border: n with t[n] present and t[n + 1] absent, found as Lua 5.1 does.</summary>
    public int Length
    {
        get
        {
            int high = _arraySize;
            if (high > 0 && IsAbsent(high - 1))
            {
                int low = 0;
                while (high - low > 1)
                {
                    int middle = (low + high) >>> 1;
                    if (IsAbsent(middle - 1))
                        high = middle;
                    else
                        low = middle;
                }

                return low;
            }

            return ReferenceEquals(_nodes, NoNodes) ? high : UnboundBorder(high);
        }
    }

    /// <summary>
    /// Writes the value of a present key; false, and <paramref name="value"/> as it was, if the key is absent or would take long to find.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryGetString(LuaString key, ref LuaValue value)
    {
        uint hash = key.Hash;
        Node[] nodes = _nodes;
        int i = (int)(hash & (uint)(nodes.Length - 1));
        int left = LongChain;
        do
        {
            ref Node node = ref nodes[i];
            if (node.Hash == hash && (ReferenceEquals(node.Key.Object, key) || IsSameString(node.Key.Object, key)))
            {
                if (node.Value.IsNil)
                    return false;
                value = node.Value;
                return true;
            }

            i = node.Next;
        } while (i >= 0 && --left > 0);

        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryGetInteger(int key, ref LuaValue value)
    {
        LuaValue[] array = _array;
        uint index = (uint)(key - 1);
        if (index < (uint)_filled && index < (uint)array.Length)
        {
            if (array[index].IsNil)
                return false;
            value = array[index];
            return true;
        }

        return TryGetSparse(key, ref value);
    }

    /// <summary>Overwrites an element of the array part that is present or that no metamethod can intercept.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TrySetElement(int key, in LuaValue value)
    {
        LuaValue[] array = _array;
        uint index = (uint)(key - 1);
        if (index >= (uint)_filled || index >= (uint)array.Length)
            return index == (uint)_filled && TryAppend(value);
        if (IsReadOnly)
            return false;
        ref LuaValue slot = ref array[index];
        if (Metatable is not null && slot.IsNil)
            return false;
        slot.Assign(value);
        return true;
    }

    /// <summary>Overwrites a present string key; false also if it would take long to find.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TrySetString(LuaString key, in LuaValue value)
    {
        uint hash = key.Hash;
        Node[] nodes = _nodes;
        int i = (int)(hash & (uint)(nodes.Length - 1));
        int left = LongChain;
        do
        {
            ref Node node = ref nodes[i];
            if (node.Hash == hash && (ReferenceEquals(node.Key.Object, key) || IsSameString(node.Key.Object, key)))
            {
                if (node.Value.IsNil || IsReadOnly)
                    return false;
                node.Value.Assign(value);
                return true;
            }

            i = node.Next;
        } while (i >= 0 && --left > 0);

        return false;
    }

    /// <summary>The value of any key, nil if it is absent.</summary>
    public LuaValue Get(in LuaValue key)
    {
        if (key.Object is LuaString text)
            return Get(text);
        if (key.Object is null && IsInteger(key.Number, out int integer))
            return Get(integer);
        int i = FindNode(key);
        return i < 0 ? LuaValue.Nil : _nodes[i].Value;
    }

    public LuaValue Get(LuaString key)
    {
        int i = FindText(key);
        return i < 0 ? LuaValue.Nil : _nodes[i].Value;
    }

    public LuaValue Get(int key)
    {
        LuaValue value = LuaValue.Nil;
        TryGetInteger(key, ref value);
        return value;
    }

    /// <summary>
    /// The place of a key's value; an absent key is added with the value nil. The place is valid until the next key is added.
    /// The key must be neither nil nor NaN.
    /// </summary>
    public ref LuaValue Place(in LuaValue key)
    {
        AbsentEvents = 0;
        if (key.Object is null && IsInteger(key.Number, out int integer) && (uint)(integer - 1) < (uint)_arraySize)
        {
            if (integer > _filled)
                FillTo(integer);
            return ref _array[integer - 1];
        }

        int found = FindNode(key);
        return ref found >= 0 ? ref _nodes[found].Value : ref Add(key);
    }

    public void Set(in LuaValue key, in LuaValue value) => Place(key) = value;

    public void Set(string key, in LuaValue value) => Place(new LuaValue(LibraryNames.Get(key))) = value;

    public void Set(int key, in LuaValue value) => Place(new LuaValue((double)key)) = value;

    /// <summary>Goes on to the next present key after <paramref name="key"/> (nil: the first); false at the end.</summary>
    /// <exception cref="LuaException">The key is not in the table.</exception>
    public bool Next(ref LuaValue key, ref LuaValue value)
    {
        int i = PositionAfter(key);
        int first = i;
        for (; i < _filled; i++)
        {
            if (!_array[i].IsNil)
            {
                key = new LuaValue(i + 1.0);
                value = _array[i];
                if (i - first > LongGap)
                    CountGap(i - first);
                return true;
            }
        }

        for (i = Math.Max(i, _arraySize) - _arraySize; i < _nodes.Length; i++)
        {
            if (!_nodes[i].Value.IsNil)
            {
                key = _nodes[i].Key;
                value = _nodes[i].Value;
                if (_arraySize + i - first > LongGap)
                    CountGap(_arraySize + i - first);
                return true;
            }
        }

        CountGap(_arraySize + i - first);
        return false;
    }

    /// <summary>How many places a walk over the table visits.</summary>
    public int SlotCount => _filled + _nodes.Length;

    /// <summary>The filled places of the array part, many of which may hold nil.</summary>
    public ReadOnlySpan<LuaValue> Elements => _array.AsSpan(0, _filled);

    /// <summary>Reads a place of the hash part, which may be empty; false beyond the last.</summary>
    public bool TryReadNode(int index, ref LuaValue key, ref LuaValue value)
    {
        if ((uint)index >= (uint)_nodes.Length)
            return false;
        (key, value) = (_nodes[index].Key, _nodes[index].Value);
        return true;
    }

    /// <summary>Empties the table for another use and keeps its memory, if it is small.</summary>
    public void Recycle(int maxElements)
    {
        Metatable = null;
        AbsentEvents = 0;
        IsReadOnly = false;
        Array.Clear(_array, 0, _filled);
        _arraySize = 0;
        _filled = 0;
        if (_array.Length > maxElements)
        {
            _heap?.Arrays.Return(_array);
            _array = [];
        }

        if (!ReferenceEquals(_nodes, NoNodes))
        {
            _spareNodes ??= new Node[]?[BitOperations.Log2((uint)maxElements) + 1];
            SpareNodes(_nodes);
            _nodes = NoNodes;
        }

        _lastFree = 0;
    }

    /// <summary>Gives an empty table its sizes before it is filled.</summary>
    public void Reserve(int arraySize, int hashSize)
    {
        if (arraySize > 0 || hashSize > 0)
            Resize(arraySize, hashSize);
    }

    /// <summary>Enlarges the array part for elements that are about to be set.</summary>
    public void ReserveElements(int count)
    {
        if (count > _arraySize)
            Resize(count, ReferenceEquals(_nodes, NoNodes) ? 0 : _nodes.Length);
    }

    private static bool IsSameString(object? key, LuaString other) =>
        key is LuaString text && text.Length <= LongKey && text.ContentEquals(other);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsInteger(double number, out int integer)
    {
        integer = (int)number;
        return integer == number;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryGetSparse(int key, ref LuaValue value)
    {
        int i = ReferenceEquals(_nodes, NoNodes) || (uint)(key - 1) < (uint)_arraySize ? -1 : FindNode(new LuaValue((double)key));
        if (i < 0 || _nodes[i].Value.IsNil)
            return false;
        value = _nodes[i].Value;
        return true;
    }

    // Sets the first place behind the filled ones.
    private bool TryAppend(in LuaValue value)
    {
        if (_filled >= _arraySize || IsReadOnly || Metatable is not null)
            return false;
        _array[_filled++].Assign(value);
        return true;
    }

    private bool IsAbsent(int index) => index >= _filled || _array[index].IsNil;

    private void FillTo(int count)
    {
        LuaValue.Clear(_array.AsSpan(_filled, count - _filled));
        _filled = count;
    }

    private int FindNode(in LuaValue key)
    {
        if (key.Object is LuaString text)
            return FindText(text);
        Node[] nodes = _nodes;
        uint hash = HashOf(key);
        int i = MainPosition(key, hash);
        int steps = 0;
        do
        {
            ref Node node = ref nodes[i];
            if (node.Hash == hash && LuaValue.RawEquals(node.Key, key))
                return i;
            i = node.Next;
            steps++;
        } while (i >= 0);

        if (steps > LongChain)
            _heap?.CountWork(steps);
        return -1;
    }

    // As the fast paths, for keys and chains of any length.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int FindText(LuaString key)
    {
        uint hash = key.Hash;
        Node[] nodes = _nodes;
        int i = (int)(hash & (uint)(nodes.Length - 1));
        int steps = 0;
        do
        {
            ref Node node = ref nodes[i];
            if (node.Hash == hash && (ReferenceEquals(node.Key.Object, key) || IsSameText(node.Key.Object, key)))
                break;
            i = node.Next;
            steps++;
        } while (i >= 0);

        if (steps > LongChain)
            _heap?.CountWork(steps);
        return i;
    }

    private bool IsSameText(object? key, LuaString other)
    {
        if (other.Length > LongKey)
            _heap?.CountWork(other.Length >> 5);
        return key is LuaString text && text.ContentEquals(other);
    }

    // Empty places that a search for the next key passed.
    private void CountGap(int places) => _heap?.CountWork(places >> 2);

    private static uint HashOf(in LuaValue key)
    {
        switch (key.Object)
        {
            case null:
                ulong bits = key.Number == 0 ? 0 : BitConverter.DoubleToUInt64Bits(key.Number);
                return (uint)bits + (uint)(bits >> 32);
            case LuaString text:
                return text.Hash;
            case LuaSingleton singleton:
                return ReferenceEquals(singleton, LuaSingleton.True) ? 1u : 0u;
            default:
                return (uint)RuntimeHelpers.GetHashCode(key.Object);
        }
    }

    // Strings and booleans use the low bits; what tends to be even, such as numbers, is divided by an odd number.
    private int MainPosition(in LuaValue key, uint hash) =>
        key.Object is LuaString or LuaSingleton ? (int)(hash & (uint)(_nodes.Length - 1)) : (int)(hash % ((uint)(_nodes.Length - 1) | 1));

    private ref LuaValue Add(in LuaValue key)
    {
        uint hash = HashOf(key);
        int position = MainPosition(key, hash);
        if (!_nodes[position].Value.IsNil || ReferenceEquals(_nodes, NoNodes))
        {
            int free = TakeFreeNode();
            if (free < 0)
            {
                Grow(key);
                return ref Place(key);
            }

            ref Node taken = ref _nodes[position];
            int other = MainPosition(taken.Key, taken.Hash);
            if (other != position)
            {
                while (_nodes[other].Next != position)
                    other = _nodes[other].Next;
                _nodes[other].Next = free;
                _nodes[free] = taken;
                taken.Next = -1;
                taken.Value = LuaValue.Nil;
            }
            else
            {
                _nodes[free].Next = taken.Next;
                taken.Next = free;
                position = free;
            }
        }

        ref Node node = ref _nodes[position];
        node.Key = key;
        node.Hash = hash;
        return ref node.Value;
    }

    private int TakeFreeNode()
    {
        while (_lastFree-- > 0)
        {
            if (_nodes[_lastFree].Key.IsNil)
                return _lastFree;
        }

        return -1;
    }

    private int UnboundBorder(int low)
    {
        long high = low + 1L;
        LuaValue value = default;
        while (TryGetInteger((int)high, ref value))
        {
            low = (int)high;
            high *= 2;
            if (high > int.MaxValue)
            {
                int i = 1;
                while (TryGetInteger(i, ref value))
                    i++;
                _heap?.CountWork(i);
                return i - 1;
            }
        }

        while (high - low > 1)
        {
            int middle = (int)((low + high) / 2);
            if (TryGetInteger(middle, ref value))
                low = middle;
            else
                high = middle;
        }

        return low;
    }

    private int PositionAfter(in LuaValue key)
    {
        if (key.IsNil)
            return 0;
        if (key.Object is null && IsInteger(key.Number, out int integer) && (uint)(integer - 1) < (uint)_arraySize)
            return integer;
        int i = key.Object is LuaString text ? FindText(text) : FindNode(key);
        return i < 0 ? throw new LuaException("invalid key to 'next'") : _arraySize + i + 1;
    }

    private void Grow(in LuaValue addition)
    {
        Span<int> counts = stackalloc int[MaxBits + 1];
        counts.Clear();
        int integers = CountArray(counts);
        int total = integers;
        foreach (ref Node node in _nodes.AsSpan())
        {
            if (node.Value.IsNil)
                continue;
            integers += CountInteger(node.Key, counts);
            total++;
        }

        integers += CountInteger(addition, counts);
        total++;
        int inArray = ChooseArraySize(counts, integers, out int arraySize);
        Resize(arraySize, total - inArray);
    }

    private int CountArray(Span<int> counts)
    {
        int total = 0;
        int i = 1;
        for (int bits = 0, limit = 1; bits <= MaxBits; bits++, limit *= 2)
        {
            int last = Math.Min(limit, _filled);
            if (i > last)
                break;
            int used = 0;
            for (; i <= last; i++)
            {
                if (!_array[i - 1].IsNil)
                    used++;
            }

            counts[bits] += used;
            total += used;
        }

        return total;
    }

    private static int CountInteger(in LuaValue key, Span<int> counts)
    {
        if (key.Object is not null || !IsInteger(key.Number, out int integer) || integer < 1 || integer > 1 << MaxBits)
            return 0;
        counts[integer == 1 ? 0 : BitOperations.Log2((uint)(integer - 1)) + 1]++;
        return 1;
    }

    // The largest power of two of which more than half would be in use.
    private static int ChooseArraySize(ReadOnlySpan<int> counts, int integers, out int size)
    {
        size = 0;
        int sum = 0;
        int result = 0;
        for (int bits = 0, limit = 1; bits <= MaxBits && limit / 2 < integers; bits++, limit *= 2)
        {
            if (counts[bits] > 0)
            {
                sum += counts[bits];
                if (sum > limit / 2)
                {
                    size = limit;
                    result = sum;
                }
            }

            if (sum == integers)
                break;
        }

        return result;
    }

    private void Resize(int arraySize, int hashSize)
    {
        Node[] oldNodes = _nodes;
        int oldFilled = _filled;
        LuaValue[] oldArray = _array;
        if (hashSize > 1 << MaxBits || arraySize > 1 << MaxBits)
            throw new LuaException("table overflow");
        _heap?.Charge(((long)Math.Max(0, arraySize - _array.Length) * SlotBytes) + ((long)hashSize * NodeBytes));
        if (arraySize > _array.Length)
            EnlargeArray(arraySize);
        _arraySize = arraySize;
        _filled = Math.Min(oldFilled, arraySize);
        _nodes = NewNodes(hashSize);
        _lastFree = hashSize == 0 ? 0 : _nodes.Length;
        for (int i = arraySize; i < oldFilled; i++)
        {
            if (!oldArray[i].IsNil)
            {
                LuaValue moved = oldArray[i];
                oldArray[i] = LuaValue.Nil;
                Place(new LuaValue(i + 1.0)) = moved;
            }
        }

        if (ReferenceEquals(oldNodes, NoNodes))
            return;
        for (int i = oldNodes.Length - 1; i >= 0; i--)
        {
            if (!oldNodes[i].Value.IsNil)
                Place(oldNodes[i].Key) = oldNodes[i].Value;
        }

        SpareNodes(oldNodes);
    }

    private void EnlargeArray(int size)
    {
        LuaValue[] enlarged = _heap is null ? new LuaValue[size] : _heap.Arrays.Rent(size);
        _array.AsSpan(0, _filled).CopyTo(enlarged);
        if (_heap is not null && _array.Length > 0)
        {
            Array.Clear(_array, 0, _filled);
            _heap.Arrays.Return(_array);
        }

        _array = enlarged;
    }

    private void SpareNodes(Node[] nodes)
    {
        int logarithm = BitOperations.Log2((uint)nodes.Length);
        if (_spareNodes is null || logarithm >= _spareNodes.Length)
            return;
        nodes.AsSpan().Fill(EmptyNode);
        _spareNodes[logarithm] = nodes;
    }

    private Node[] NewNodes(int size)
    {
        if (size == 0)
            return NoNodes;
        uint length = BitOperations.RoundUpToPowerOf2((uint)size);
        int logarithm = BitOperations.Log2(length);
        if (_spareNodes is { } spares && logarithm < spares.Length && spares[logarithm] is { } spare)
        {
            spares[logarithm] = null;
            return spare;
        }

        var nodes = new Node[length];
        nodes.AsSpan().Fill(EmptyNode);
        return nodes;
    }

    private struct Node
    {
        public LuaValue Key;
        public LuaValue Value;
        public int Next;
        public uint Hash;
    }
}
