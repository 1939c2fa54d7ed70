// Measures the values that a state can still reach. Used by the thread that runs the state.
using Garnet.Lua.Values;

namespace Garnet.Lua.Execution;

/// <summary>Walks from the roots of a state over everything reachable, without recursion, and adds up its memory.</summary>
internal sealed class LiveMeasure
{
    private const int StringOverhead = 64;
    private const int ClosureBytes = 64;
    private const int BoxBytes = 40;

    private readonly Stack<object> _pending = new();
    private int _mark;
    private long _bytes;

    /// <summary>
    /// The bytes of all values that the state's globals, stacks and registry reach; shared read-only tables do not count.
    /// </summary>
    public long Run(LuaState state)
    {
        _mark++;
        _bytes = 0;
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

    private void Meet(object? value)
    {
        switch (value)
        {
            case LuaString text when text.Mark != _mark:
                text.Mark = _mark;
                _bytes += StringOverhead + text.Length;
                break;
            case LuaTable table when table.Mark != _mark && !table.IsReadOnly:
                table.Mark = _mark;
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
        }
    }

    private void Enter(object value)
    {
        switch (value)
        {
            case LuaTable table:
                Meet(table.Metatable);
                LuaValue key = LuaValue.Nil;
                LuaValue content = default;
                while (table.Next(ref key, ref content))
                {
                    Meet(key.Object);
                    Meet(content.Object);
                }

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
