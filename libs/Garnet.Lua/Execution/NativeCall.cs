// A call of a host function: its arguments and results. Used by the thread that runs the state.
using System.Globalization;
using Garnet.Lua.Values;

namespace Garnet.Lua.Execution;

/// <summary>Gives a host function its arguments, numbered from 1 as in messages, and takes its results.</summary>
internal readonly struct NativeCall(LuaThread thread, int first, int count)
{
    public LuaThread Thread => thread;

    public LuaState State => thread.State;

    public int Count => count;

    /// <summary>The stack position of the first argument.</summary>
    public int First => first;

    /// <summary>An argument; nil beyond the last one.</summary>
    public LuaValue this[int argument] => argument <= count ? thread.Stack[first + argument - 1] : LuaValue.Nil;

    public int Return(in LuaValue value)
    {
        thread.Push(value);
        return 1;
    }

    public int Return(double number) => Return(new LuaValue(number));

    public int Return(string text) => Return(new LuaValue(State.Heap.NewString(text)));

    public int Return(ReadOnlySpan<byte> text) => Return(new LuaValue(State.Heap.NewString(text)));

    public int Return(bool value) => Return(LuaValue.Boolean(value));

    /// <summary>Whether the argument is absent or nil.</summary>
    public bool IsNoneOrNil(int argument) => argument > count || this[argument].IsNil;

    /// <summary>A string argument; a number is converted.</summary>
    public LuaString CheckString(int argument) =>
        this[argument].Object switch
        {
            LuaString text => text,
            null => State.ToText(this[argument].Number),
            _ => throw TypeError(argument, "string"),
        };

    public double CheckNumber(int argument) =>
        argument <= count && Operations.TryToNumber(State, this[argument], out double number)
            ? number
            : throw TypeError(argument, "number");

    public long CheckLong(int argument) => NumberText.ToLong(CheckNumber(argument));

    public int CheckInteger(int argument) => unchecked((int)CheckLong(argument));

    public long OptionalLong(int argument, long otherwise) => IsNoneOrNil(argument) ? otherwise : CheckLong(argument);

    public int OptionalInteger(int argument, int otherwise) => IsNoneOrNil(argument) ? otherwise : CheckInteger(argument);

    public LuaTable CheckTable(int argument) => this[argument].Object as LuaTable ?? throw TypeError(argument, "table");

    public LuaValue CheckFunction(int argument) =>
        this[argument].Type == LuaType.Function ? this[argument] : throw TypeError(argument, "function");

    public LuaValue CheckAny(int argument) => argument <= count ? this[argument] : throw ArgumentError(argument, "value expected");

    public LuaException TypeError(int argument, string expected) =>
        ArgumentError(argument, $"{expected} expected, got {(argument > count ? "no value" : OperandErrors.TypeName(this[argument]))}");

    /// <summary>An error about an argument, with the function's name as the caller calls it.</summary>
    public LuaException ArgumentError(int argument, string message)
    {
        string name = "?";
        if (OperandErrors.CalledFunction(thread) is { } called)
        {
            name = called.Name;
            if (called.Kind == OperandKind.Method && --argument == 0)
                return thread.Error($"calling '{name}' on bad self ({message})");
        }

        return thread.Error(string.Create(CultureInfo.InvariantCulture, $"bad argument #{argument} to '{name}' ({message})"));
    }

    public LuaException Error(string message) => thread.Error(message);
}
