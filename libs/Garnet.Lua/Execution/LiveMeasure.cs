// Measures the values that a state can still reach. Used by the thread that runs the state.
using Garnet.Lua.Values;

namespace Garnet.Lua.Execution;

/// <summary>Walks over everything reachable, without recursion: from the roots of a state to add up its memory, or in search of values that
/// are to be used again.</summary>
internal sealed class LiveMeasure
{
    private const int StringOverhead = 64;
    private const int ClosureBytes = 64;
    private const int UserdataBytes = 40;

    // The walk counts as work of the script, a few instructions for each value it enters.
    private const int InstructionsPerValue = 4;
    private const int ElementsPerInstruction = 4;
    private const int ChargedAtOnce = 10_000;
    private const int BoxBytes = 40;
    private const int MaxSearchBytes = 8 * 1024;

    private readonly Stack<object> _pending = new();
    private int _mark;
    private long _bytes;
    private bool _hasPooled;
    private int _work;

    /// <summary>
    /// The bytes of all values that the state's globals, stacks and registry reach, and of what its functions have in hand; shared
    /// read-only tables do not count. The script can be stopped on the way.
    /// </summary>
    public long Run(LuaState state)
    {
        Begin();
        _pending.Clear();
        _bytes = state.Builders.RentedBytes + state.Heap.HostBytes;
        _pending.Push(state.Globals);
        foreach (LuaValue root in state.Roots)
            Meet(root.Object);
        for (LuaThread? thread = state.Current; thread is not null; thread = thread.Resumer)
            Meet(thread);
        while (_pending.TryPop(out object? next))
        {
            Enter(next);
            if (_work < ChargedAtOnce)
                continue;
            state.ChargeInstructions(_work);
            _work = 0;
        }

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
            case LuaUserdata { IsNull: false } userdata when userdata.Mark != _mark:
                userdata.Mark = _mark;
                _bytes += UserdataBytes;
                Meet(userdata.Metatable);
                break;
            // Others are shared by all states.
            case LuaNative { OwnBytes: > 0 } native when native.Mark != _mark:
                native.Mark = _mark;
                _bytes += native.OwnBytes;
                foreach (object held in native.Held)
                    Meet(held);
                break;
            case Prototype { IsOwned: true } code when code.Mark != _mark:
                code.Mark = _mark;
                _bytes += code.OwnBytes;
                _pending.Push(code);
                break;
        }
    }

    private void EnterTable(LuaTable table)
    {
        _work += table.SlotCount / ElementsPerInstruction;
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
        _work += InstructionsPerValue;
        switch (value)
        {
            case LuaTable table:
                EnterTable(table);
                break;
            case LuaClosure closure:
                Meet(closure.Environment);
                Meet(closure.Prototype);
                foreach (Box box in closure.Upvalues)
                    Meet(box);
                break;
            case Box box:
                Meet(box.Value.Object);
                break;
            case LuaThread thread:
                _work += thread.LiveSlots.Length / ElementsPerInstruction;
                foreach (ref readonly LuaValue slot in thread.LiveSlots)
                    Meet(slot.Object);
                break;
            case Prototype code:
                _work += code.Constants.Length / ElementsPerInstruction;
                foreach (ref readonly LuaValue constant in code.Constants.AsSpan())
                    Meet(constant.Object);
                foreach (Prototype nested in code.Nested)
                    Meet(nested);
                break;
        }
    }
}
