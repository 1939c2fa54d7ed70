// Arrays of values that tables have outgrown. Used by the thread that runs the state.
using System.Numerics;
using Garnet.Lua.Values;

namespace Garnet.Lua.Execution;

/// <summary>
/// A table that grows leaves an array behind at each step, and scripts often build tables of the same size again and again. One array of
/// each power of two is kept for the next table, up to eight megabytes together; those that no table has used for a while are dropped.
/// Without this every run would make the collector clear and collect its large objects.
/// </summary>
internal sealed class SpareArrays
{
    private const int MinLength = 1;
    private const int MaxLength = 1 << 18;
    private const int SlotBytes = 16;
    private const int RunsBetweenSweeps = 64;

    private readonly LuaValue[]?[] _kept = new LuaValue[BitOperations.Log2(MaxLength) + 1][];
    private uint _used; // a bit for each length that was asked for since the last sweep
    private int _runs;

    /// <summary>The memory of the arrays.</summary>
    public long Bytes
    {
        get
        {
            long bytes = 0;
            foreach (LuaValue[]? array in _kept)
                bytes += (long)(array?.Length ?? 0) * SlotBytes;
            return bytes;
        }
    }

    /// <summary>An array of exactly this length; what it holds has no meaning.</summary>
    public LuaValue[] Rent(int length)
    {
        if (!IsKept(length))
            return new LuaValue[length];
        int logarithm = BitOperations.Log2((uint)length);
        _used |= 1u << logarithm;
        LuaValue[]? kept = _kept[logarithm];
        _kept[logarithm] = null;
        return kept ?? new LuaValue[length];
    }

    /// <summary>Takes an array that refers to nothing any more.</summary>
    public void Return(LuaValue[] array)
    {
        if (IsKept(array.Length))
            _kept[BitOperations.Log2((uint)array.Length)] = array;
    }

    /// <summary>Notes the end of a run.</summary>
    public void EndRun()
    {
        if (++_runs < RunsBetweenSweeps)
            return;
        for (int i = 0; i < _kept.Length; i++)
        {
            if ((_used & (1u << i)) == 0)
                _kept[i] = null;
        }

        _runs = 0;
        _used = 0;
    }

    private static bool IsKept(int length) => length is >= MinLength and <= MaxLength && BitOperations.IsPow2(length);
}
