// A value of a script: 16 bytes, no boxing. Used by the thread that runs the state.
using System.Runtime.CompilerServices;

namespace Garnet.Lua.Values;

/// <summary>
/// A number if <see cref="Object"/> is null, otherwise what the object is. So the commonest test, whether a value is a number, compares
/// with null, and storing a number needs no write barrier. The default is the number 0: arrays of values are filled with nil explicitly.
/// </summary>
internal struct LuaValue
{
    private const int BlockLength = 256;

    private static readonly LuaValue[] NilBlock = CreateNilBlock();

    public object? Object;
    public double Number;

    public LuaValue(double number)
    {
        Object = null;
        Number = number;
    }

    public LuaValue(object reference)
    {
        Object = reference;
        Number = 0;
    }

    public static LuaValue Nil => new(LuaSingleton.Nil);

    public static LuaValue True => new(LuaSingleton.True);

    public static LuaValue False => new(LuaSingleton.False);

    public readonly bool IsNumber => Object is null;

    public readonly bool IsNil => ReferenceEquals(Object, LuaSingleton.Nil);

    /// <summary>False for nil and false, true for all others.</summary>
    public readonly bool IsTruthy
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => !ReferenceEquals(Object, LuaSingleton.Nil) && !ReferenceEquals(Object, LuaSingleton.False);
    }

    public readonly LuaType Type =>
        Object switch
        {
            null => LuaType.Number,
            LuaString => LuaType.String,
            LuaTable => LuaType.Table,
            LuaSingleton => IsNil ? LuaType.Nil : LuaType.Boolean,
            LuaClosure or LuaNative => LuaType.Function,
            Execution.LuaThread => LuaType.Thread,
            _ => LuaType.Userdata,
        };

    public static LuaValue Boolean(bool value) => new(value ? LuaSingleton.True : LuaSingleton.False);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void SetNumber(double number)
    {
        Object = null;
        Number = number;
    }

    /// <summary>Takes over a value; a number, which is the commonest, without the collector's write barrier.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Assign(in LuaValue value)
    {
        if (value.Object is null)
            SetNumber(value.Number);
        else
            this = value;
    }

    /// <summary>Sets all places to nil: copies of a block, as a copy takes one write barrier and a loop one for each place.</summary>
    public static void Clear(Span<LuaValue> places)
    {
        for (; places.Length > BlockLength; places = places[BlockLength..])
            NilBlock.CopyTo(places);
        NilBlock.AsSpan(0, places.Length).CopyTo(places);
    }

    /// <summary>Equality without metamethods.</summary>
    public static bool RawEquals(in LuaValue left, in LuaValue right)
    {
        if (left.Object is null)
            return right.Object is null && left.Number == right.Number;
        if (ReferenceEquals(left.Object, right.Object))
            return true;
        return left.Object is LuaString a && right.Object is LuaString b && a.ContentEquals(b);
    }

    private static LuaValue[] CreateNilBlock()
    {
        var block = new LuaValue[BlockLength];
        Array.Fill(block, Nil);
        return block;
    }
}
