// Counts and recycles the memory of a state. Used by the thread that runs the state.
using Garnet.Lua.Values;

namespace Garnet.Lua.Execution;

/// <summary>
/// Creates the strings and tables of a state. What is allocated is counted, and when the count reaches a threshold, the live values are
/// measured from the roots and compared with the limit. Small objects come from a pool, which takes all of them back at the end of a run
/// that left nothing behind.
/// </summary>
internal sealed class LuaHeap(LuaState state)
{
    /// <summary>The longest string.</summary>
    public const int MaxStringBytes = 0x7fff_0000;

    private const int MaxPooledStrings = 1024;
    private const int MaxPooledStringBytes = 512;
    private const int MinPooledStringBytes = 32;
    private const int MaxPooledTables = 256;
    private const int MaxPooledElements = 64;
    private const int StringOverhead = 64;
    private const long MinWalkBytes = 1 << 20;

    // Between two walks a script may allocate this part of the limit beyond it: what a walk costs is paid for by what was allocated since.
    private const int SlackShift = 3;

    // Memory that is allocated is written, hashed and collected: so many bytes count as one instruction.
    private const int BytesPerInstructionShift = 4;

    private readonly LiveMeasure _measure = new();
    private LuaString?[] _strings = [];
    private LuaTable?[] _tables = [];
    private int _usedStrings;
    private int _usedTables;
    private MemoryLimit _limit = new(null, long.MaxValue);
    private long _sinceWalk;
    private long _nextWalk = MinWalkBytes;

    /// <summary>Arrays that tables have outgrown.</summary>
    public SpareArrays Arrays { get; } = new();

    /// <summary>What live values may take.</summary>
    public MemoryLimit Limit
    {
        get => _limit;
        set
        {
            _limit = value;
            _nextWalk = Math.Min(_nextWalk, BytesLeft);
        }
    }

    /// <summary>Everything allocated so far.</summary>
    public long AllocatedBytes { get; private set; }

    /// <summary>What the last measurement found, plus everything allocated since.</summary>
    public long UsedBytes => LiveBytes + _sinceWalk;

    /// <summary>What the last measurement found.</summary>
    public long LiveBytes { get; private set; }

    /// <summary>Memory that the host keeps for scripts beside values, which counts as live.</summary>
    public long HostBytes { get; set; }

    /// <summary>How often the live values were measured.</summary>
    public long Walks { get; private set; }

    /// <summary>What the pool keeps for later runs.</summary>
    public long PooledBytes
    {
        get
        {
            long bytes = (8L * (_strings.Length + _tables.Length)) + Arrays.Bytes + state.Builders.WaitingBytes;
            foreach (LuaString? text in _strings)
                bytes += text is null ? 0 : StringOverhead + text.Capacity;
            foreach (LuaTable? table in _tables)
                bytes += table?.Bytes ?? 0;
            return bytes;
        }
    }

    /// <summary>Counts an allocation before it is made, and the work that it will be.</summary>
    /// <exception cref="LuaException">The live values would be larger than the limit.</exception>
    public void Charge(long bytes)
    {
        AllocatedBytes += bytes;
        _sinceWalk += bytes;
        if (_sinceWalk > _nextWalk)
            Measure(bytes);
        state.Budget -= (int)(bytes >> BytesPerInstructionShift);
        if (state.Budget < 0)
            state.OnBudgetSpent();
    }

    /// <summary>Counts work as instructions, without a check: for steps that must not be left half done.</summary>
    public void CountWork(long instructions) => state.CountWork(instructions);

    public LuaTable NewTable(int arraySize = 0, int hashSize = 0)
    {
        LuaTable table;
        if (_usedTables < _tables.Length)
        {
            table = _tables[_usedTables] ??= new LuaTable(this) { IsPooled = true };
            _usedTables++;
        }
        else
        {
            table = new LuaTable(this);
            if (_usedTables < MaxPooledTables)
                Remember(table);
        }

        Charge(LuaTable.EmptyBytes);
        table.Reserve(arraySize, hashSize);
        return table;
    }

    public LuaString NewString(ReadOnlySpan<byte> content)
    {
        LuaString text = NewString(content.Length, out Span<byte> bytes);
        content.CopyTo(bytes);
        return text;
    }

    /// <summary>A string whose content the caller writes at once.</summary>
    public LuaString NewString(int length, out Span<byte> content)
    {
        Charge(StringOverhead + length);
        if (length <= MaxPooledStringBytes)
        {
            LuaString pooled = NextPooledString();
            content = pooled.Renew(length);
            return pooled;
        }

        byte[] bytes = new byte[length];
        content = bytes;
        return new LuaString(bytes);
    }

    /// <summary>A text after another, such as a message after its position.</summary>
    public LuaString NewString(string start, ReadOnlySpan<byte> rest)
    {
        LuaString result = NewString(start.Length + rest.Length, out Span<byte> bytes);
        for (int i = 0; i < start.Length; i++)
            bytes[i] = (byte)start[i];
        rest.CopyTo(bytes[start.Length..]);
        return result;
    }

    public LuaString NewString(string text)
    {
        LuaString result = NewString(text.Length, out Span<byte> bytes);
        for (int i = 0; i < text.Length; i++)
            bytes[i] = (byte)text[i];
        return result;
    }

    /// <summary>Ends a run. If none of its values can be used again, its small objects return to the pool.</summary>
    public void EndRun(bool leftNothing)
    {
        Arrays.EndRun();
        if (!leftNothing)
        {
            LeavePool();
            return;
        }

        Recycle();
        LiveBytes = 0;
        _sinceWalk = 0;
    }

    /// <summary>
    /// Ends a run of a function that stays, and with it what it reaches. Its small objects return to the pool if they are not among that.
    /// </summary>
    public void EndRun(in LuaValue kept)
    {
        Arrays.EndRun();
        if (_usedTables + _usedStrings > 0 && _measure.MayReachPooled(kept))
            LeavePool();
        else
            Recycle();
    }

    private void Recycle()
    {
        foreach (LuaTable? table in _tables.AsSpan(0, _usedTables))
            table!.Recycle(MaxPooledElements);
        _usedTables = 0;
        _usedStrings = 0;
    }

    // The objects are what scripts made of them from now on.
    private void LeavePool()
    {
        foreach (LuaTable? table in _tables.AsSpan(0, _usedTables))
            table!.IsPooled = false;
        foreach (LuaString? text in _strings.AsSpan(0, _usedStrings))
            text!.IsPooled = false;
        _tables.AsSpan(0, _usedTables).Clear();
        _strings.AsSpan(0, _usedStrings).Clear();
        _usedTables = 0;
        _usedStrings = 0;
    }

    /// <summary>Measures the live values now.</summary>
    public long Walk()
    {
        Walks++;
        LiveBytes = _measure.Run(state);
        _sinceWalk = 0;
        // As much as is alive, so that walks take a constant share of the time.
        _nextWalk = Math.Min(Math.Max(MinWalkBytes, LiveBytes), BytesLeft);
        return LiveBytes;
    }

    // What is left of the limit, but at least the slack: or a script near its limit would walk for each value.
    private long BytesLeft => Math.Max(_limit.Bytes - LiveBytes, _limit.Bytes >> SlackShift);

    private void Measure(long bytes)
    {
        // A request that alone is too large needs no walk.
        if (bytes > Limit.Bytes)
        {
            _sinceWalk -= bytes;
            throw new LuaException(Limit.Error);
        }

        Walk();
        if (LiveBytes + bytes > Limit.Bytes)
            throw new LuaException(Limit.Error);
        _sinceWalk = bytes;
    }

    private LuaString NextPooledString()
    {
        if (_usedStrings == _strings.Length)
        {
            if (_strings.Length == MaxPooledStrings)
                return new LuaString([]);
            Array.Resize(ref _strings, Math.Max(16, _strings.Length * 2));
        }

        return _strings[_usedStrings++] ??= new LuaString(new byte[MinPooledStringBytes]) { IsPooled = true };
    }

    private void Remember(LuaTable table)
    {
        Array.Resize(ref _tables, Math.Max(8, _tables.Length * 2));
        table.IsPooled = true;
        _tables[_usedTables++] = table;
    }
}
