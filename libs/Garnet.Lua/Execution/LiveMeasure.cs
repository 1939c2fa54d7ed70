// Measures the values that a state can still reach. Used by the thread that runs the state.
using Garnet.Lua.Values;

namespace Garnet.Lua.Execution;

/// <summary>Walks over everything reachable, without recursion: from the roots of a state to add up its memory, or in search of values that
/// are to be used again.</summary>
internal sealed class LiveMeasure
{
    private const int StringOverhead = 64;
    private const int ClosureBytes = 64;
    private const int BoxBytes = 40;
    private const int MaxSearchBytes = 8 * 1024;

    private readonly Stack<object> _pending = new();
    private int _mark;
    private long _bytes;
    private bool _hasPooled;

    /// <summary>
    /// The bytes of all values that the state's globals, stacks and registry reach; shared read-only tables do not count.
    /// </summary>
    public long Run(LuaState state)
    {
        Begin();
        _pending.Push(state.Globals);
        foreach (LuaValue root in state.Roots)
            Meet(root.Object);
        for (LuaThread? thread = state.Current; thread is not null; thread = thread.Resumer)
            Meet(thread);
        while (_pending.TryPop(out object? next))
            Enter(next);
        long bytes = _bytes;
        _pending.TrimExcess(64);
        return bytes;
    }

    /// <summary>
    /// Whether a value reaches objects of the pool, or so much that the search is given up; it is short enough to follow every run.
    /// </summary>
    public bool MayReachPooled(in LuaValue root)
    {
        Begin();
        Meet(root.Object);
        // The stack of a coroutine is not searched.
        while (!_hasPooled && _pending.TryPop(out object? next))
        {
            if (_bytes > MaxSearchBytes || next is LuaThread)
                _hasPooled = true;
            else
                Enter(next);
        }

        _pending.Clear();
        return _hasPooled;
    }

    private void Begin()
    {
        _mark++;
        _bytes = 0;
        _hasPooled = false;
    }

    private void Meet(object? value)
    {
        switch (value)
        {
            case LuaString text when text.Mark != _mark:
                text.Mark = _mark;
                _hasPooled |= text.IsPooled;
                _bytes += StringOverhead + text.Length;
                break;
            case LuaTable table when table.Mark != _mark && !table.IsReadOnly:
                table.Mark = _mark;
                _hasPooled |= table.IsPooled;
                _bytes += table.Bytes;
                _pending.Push(table);
                break;
            case LuaClosure closure when closure.Mark != _mark:
                closure.Mark = _mark;
                _bytes += ClosureBytes + (8 * closure.Upvalues.Length);
                _pending.Push(closure);
                break;
            case Box box when box.Mark != _mark:
                box.Mark = _mark;
                _bytes += BoxBytes;
                _pending.Push(box);
                break;
            case LuaThread thread when thread.Mark != _mark:
                thread.Mark = _mark;
                _bytes += thread.Bytes;
                _pending.Push(thread);
                break;
            case LuaUserdata { Metatable: { } metatable }:
                _bytes += BoxBytes;
                Meet(metatable);
                break;
            case LuaNative native:
                foreach (object held in native.Held)
                    Meet(held);
                break;
        }
    }

    private void EnterTable(LuaTable table)
    {
        Meet(table.Metatable);
        foreach (ref readonly LuaValue element in table.Elements)
        {
            if (element.Object is not null)
                Meet(element.Object);
        }

        LuaValue key = default;
        LuaValue content = default;
        for (int i = 0; table.TryReadNode(i, ref key, ref content); i++)
        {
            if (content.IsNil)
                continue;
            Meet(key.Object);
            Meet(content.Object);
        }
    }

    private void Enter(object value)
    {
        switch (value)
        {
            case LuaTable table:
                EnterTable(table);
                break;
            case LuaClosure closure:
                Meet(closure.Environment);
                foreach (Box box in closure.Upvalues)
                    Meet(box);
                break;
            case Box box:
                Meet(box.Value.Object);
                break;
            case LuaThread thread:
                foreach (ref readonly LuaValue slot in thread.LiveSlots)
                    Meet(slot.Object);
                break;
        }
    }
}
