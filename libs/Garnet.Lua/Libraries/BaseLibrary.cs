// The basic functions. Stateless; the functions run on the thread that runs the state.
using System.Globalization;
using System.Text;
using Garnet.Lua.Compilation;
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>Functions that are global variables: type, pairs, pcall and so on. There are no functions for files and output.</summary>
internal static class BaseLibrary
{
    private static readonly (string Name, NativeBody Body)[] Functions =
    [
        ("assert", Assert),
        ("collectgarbage", CollectGarbage),
        ("error", Error),
        ("gcinfo", static call => call.Return(Math.Floor(call.State.Heap.UsedBytes / 1024.0))),
        ("getmetatable", GetMetatable),
        ("load", Load),
        ("loadstring", LoadString),
        ("next", Next),
        ("pcall", ProtectedCall.Call),
        ("rawequal", RawEqual),
        ("rawget", static call => call.Return(call.CheckTable(1).Get(call.CheckAny(2)))),
        ("rawset", RawSet),
        ("select", Select),
        ("setmetatable", SetMetatable),
        ("tonumber", ToNumber),
        ("tostring", static call => call.Return(ToTextValue(call.Thread, call.CheckAny(1)))),
        ("type", static call => call.Return(new LuaValue(TypeNames.Of(call.CheckAny(1))))),
        ("unpack", Unpack),
        ("xpcall", ProtectedCall.CallWithHandler),
    ];

    private static readonly LuaNative NextFunction = new("next", Next);
    private static readonly LuaNative ElementFunction = new("ipairs", NextElement);

    public static void AddTo(LuaTable globals)
    {
        foreach ((string name, NativeBody body) in Functions)
            globals.Set(name, new LuaValue(new LuaNative(name, body)));
        globals.Set("pairs", new LuaValue(new LuaNative("pairs", Pairs)));
        globals.Set("ipairs", new LuaValue(new LuaNative("ipairs", IPairs)));
        globals.Set("_G", new LuaValue(globals));
        globals.Set("_VERSION", new LuaValue(new LuaString("Lua 5.1")));
    }

    /// <summary>Functions that change the environment of other functions.</summary>
    public static void AddInsecureTo(LuaTable globals)
    {
        globals.Set("getfenv", new LuaValue(new LuaNative("getfenv", EnvironmentFunctions.Get)));
        globals.Set("setfenv", new LuaValue(new LuaNative("setfenv", EnvironmentFunctions.Set)));
        globals.Set("newproxy", new LuaValue(new LuaNative("newproxy", EnvironmentFunctions.NewProxy)));
    }

    /// <summary>What tostring returns: what the value's metamethod returns, otherwise its text.</summary>
    public static LuaValue ToTextValue(LuaThread thread, in LuaValue value)
    {
        LuaValue metamethod = Metamethods.Find(thread.State, value, MetaEvent.ToString);
        return metamethod.IsNil ? new LuaValue(ToText(thread.State, value)) : Metamethods.Call(thread, metamethod, value, LuaValue.Nil);
    }

    private static LuaString ToText(LuaState state, in LuaValue value)
    {
        switch (value.Object)
        {
            case null:
                return state.ToText(value.Number);
            case LuaString text:
                return text;
            case LuaSingleton:
                return value.IsNil ? TypeNames.Of(value) : state.Heap.NewString(value.IsTruthy ? "true" : "false");
            case LuaUserdata { IsNull: true }:
                return state.Heap.NewString("userdata: (nil)");
            default:
                return state.Heap.NewString(IdentityOf(value));
        }
    }

    /// <summary>The type of a value that has no text of its own, and something like its address.</summary>
    public static string IdentityOf(in LuaValue value)
    {
        int identity = System.Runtime.CompilerServices.RuntimeHelpers.GetHashCode(value.Object);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{OperandErrors.TypeName(value)}: 0x{0x7f0000000000 | ((long)identity << 4):x12}"
        );
    }

    private static int Assert(NativeCall call)
    {
        if (!call.CheckAny(1).IsTruthy)
        {
            throw call.IsNoneOrNil(2) && call.Count < 2 ? call.Error("assertion failed!")
            : call.IsNoneOrNil(2) ? call.Error("assertion failed!")
            : new LuaException(AssertMessage(call));
        }

        call.Thread.Top = call.First + call.Count;
        return call.Count;
    }

    // The message is formatted as a C string.
    private static LuaValue AssertMessage(NativeCall call)
    {
        return new LuaValue(call.State.Heap.NewString(call.Thread.Position(1), CText.UpToZero(call.CheckString(2).Span)));
    }

    private static int CollectGarbage(NativeCall call)
    {
        string option = call.IsNoneOrNil(1) ? "collect" : call.CheckString(1).ToShownText();
        switch (option)
        {
            case "count":
                return call.Return(call.State.Heap.UsedBytes / 1024.0);
            case "collect":
                call.State.ChargeInstructions(1000);
                call.State.Heap.Walk();
                return call.Return(0.0);
            case "step":
                return call.Return(true);
            case "stop" or "restart":
                return call.Return(0.0);
            case "setpause" or "setstepmul":
                return call.Return(200.0);
            default:
                throw call.ArgumentError(1, $"invalid option '{option}'");
        }
    }

    private static int Error(NativeCall call)
    {
        long level = call.OptionalLong(2, 1);
        LuaValue value = call[1];
        if (value.Object is null or LuaString && level > 0)
        {
            string position = call.Thread.Position((int)Math.Min(level, int.MaxValue));
            if (position.Length > 0)
                value = new LuaValue(call.State.Heap.NewString(position, call.CheckString(1).Span));
        }

        throw new LuaException(value);
    }

    private static int GetMetatable(NativeCall call)
    {
        LuaTable? metatable = Metamethods.MetatableOf(call.State, call.CheckAny(1));
        if (metatable is null)
            return call.Return(LuaValue.Nil);
        LuaValue hidden = metatable.Get(Metamethods.NameOf(MetaEvent.Metatable));
        return call.Return(hidden.IsNil ? new LuaValue(metatable) : hidden);
    }

    private static int SetMetatable(NativeCall call)
    {
        LuaTable table = call.CheckTable(1);
        if (call.Count < 2 || call[2].Object is not LuaTable && !call[2].IsNil)
            throw call.ArgumentError(2, "nil or table expected");
        if (table.Metatable is { } old && !old.Get(Metamethods.NameOf(MetaEvent.Metatable)).IsNil)
            throw call.Error("cannot change a protected metatable");
        CheckWritable(call, table);
        table.Metatable = call[2].Object as LuaTable;
        return call.Return(call[1]);
    }

    /// <exception cref="LuaException">Scripts cannot change the table.</exception>
    public static void CheckWritable(NativeCall call, LuaTable table)
    {
        if (table.IsReadOnly)
            throw call.Thread.PlainError("Attempt to modify a readonly table");
    }

    private static int LoadString(NativeCall call)
    {
        LuaString source = call.CheckString(1);
        return Compile(call, source, call.IsNoneOrNil(2) ? source : call.CheckString(2));
    }

    private static int Load(NativeCall call)
    {
        LuaValue reader = call.CheckFunction(1);
        LuaString name = call.IsNoneOrNil(2) ? call.State.Heap.NewString("=(load)") : call.CheckString(2);
        ByteBuilder source = call.State.Builders.Rent();
        LuaThread thread = call.Thread;
        while (true)
        {
            int top = thread.Top;
            thread.Push(reader);
            thread.Call(top, 0, 1, FrameCaller.Native);
            thread.Top = top;
            LuaValue piece = thread.Stack[top];
            if (piece.IsNil)
                break;
            if (piece.Object is not (null or LuaString))
            {
                call.State.Builders.Return(source);
                call.Return(LuaValue.Nil);
                call.Return(call.Thread.Position(1) + "reader function must return a string");
                return 2;
            }

            LuaString text = piece.Object as LuaString ?? call.State.ToText(piece.Number);
            if (text.Length == 0)
                break;
            source.Append(text.Span);
        }

        var whole = source.ToLuaString();
        call.State.Builders.Return(source);
        return Compile(call, whole, name);
    }

    private static int Compile(NativeCall call, LuaString source, LuaString name)
    {
        try
        {
            Prototype chunk = call.State.Compile(source, ChunkName.Shorten(name));
            return call.Return(new LuaValue(call.State.Load(chunk)));
        }
        catch (LuaSyntaxException e)
        {
            call.Return(LuaValue.Nil);
            call.Return(Encoding.Latin1.GetBytes(e.Message));
            return 2;
        }
    }

    private static int Next(NativeCall call)
    {
        LuaTable table = call.CheckTable(1);
        LuaValue key = call[2];
        LuaValue value = default;
        if (!table.Next(ref key, ref value))
            return call.Return(LuaValue.Nil);
        call.Thread.Push(key);
        call.Thread.Push(value);
        return 2;
    }

    private static int Pairs(NativeCall call)
    {
        LuaTable table = call.CheckTable(1);
        call.Thread.Push(new LuaValue(NextFunction));
        call.Thread.Push(new LuaValue(table));
        call.Thread.Push(LuaValue.Nil);
        return 3;
    }

    private static int IPairs(NativeCall call)
    {
        LuaTable table = call.CheckTable(1);
        call.Thread.Push(new LuaValue(ElementFunction));
        call.Thread.Push(new LuaValue(table));
        call.Thread.Push(new LuaValue(0.0));
        return 3;
    }

    private static int NextElement(NativeCall call)
    {
        int index = call.CheckInteger(2) + 1;
        LuaValue value = call.CheckTable(1).Get(index);
        if (value.IsNil)
            return 0;
        call.Thread.Push(new LuaValue((double)index));
        call.Thread.Push(value);
        return 2;
    }

    private static int RawEqual(NativeCall call)
    {
        LuaValue left = call.CheckAny(1);
        LuaValue right = call.CheckAny(2);
        Operations.CountComparison(call.State, left, right);
        return call.Return(LuaValue.RawEquals(left, right));
    }

    private static int RawSet(NativeCall call)
    {
        LuaTable table = call.CheckTable(1);
        LuaValue key = call.CheckAny(2);
        LuaValue value = call.CheckAny(3);
        CheckWritable(call, table);
        FrameCaller caller = call.Thread.NativeCaller;
        call.Thread.NativeCaller = FrameCaller.Native;
        Operations.CheckKey(call.Thread, key);
        call.Thread.NativeCaller = caller;
        table.Set(key, value);
        return call.Return(call[1]);
    }

    private static int Select(NativeCall call)
    {
        if (call[1].Object is LuaString { Length: > 0 } text && text[0] == '#')
            return call.Return(call.Count - 1.0);
        long index = call.CheckInteger(1);
        if (index < 0)
            index = call.Count + index;
        else if (index > call.Count)
            index = call.Count;
        if (index < 1)
            throw call.ArgumentError(1, "index out of range");
        call.Thread.Top = call.First + call.Count;
        return call.Count - (int)index;
    }

    private static int ToNumber(NativeCall call)
    {
        int radix = call.OptionalInteger(2, 10);
        if (radix == 10)
        {
            LuaValue value = call.CheckAny(1);
            return Operations.TryToNumber(call.State, value, out double number) ? call.Return(number) : call.Return(LuaValue.Nil);
        }

        LuaString text = call.CheckString(1);
        call.State.ChargeInstructions(text.Length >> 1);
        if (radix is < 2 or > 36)
            throw call.ArgumentError(2, "base out of range");
        return NumberText.TryParseInteger(text.Span, radix, out double parsed) ? call.Return(parsed) : call.Return(LuaValue.Nil);
    }

    private static int Unpack(NativeCall call)
    {
        LuaTable table = call.CheckTable(1);
        int first = call.OptionalInteger(2, 1);
        int last = call.IsNoneOrNil(3) ? table.Length : call.CheckInteger(3);
        if (first > last)
            return 0;
        long count = (long)last - first + 1;
        if (count > LuaThread.MaxResults - call.Count)
            throw call.Error("too many results to unpack");
        call.State.ChargeInstructions(count >> 1);
        call.Thread.EnsureStack(call.Thread.Top + (int)count);
        for (int i = 0; i < count; i++)
            call.Thread.Push(table.Get(first + i));
        return (int)count;
    }
}
