// The table functions. Stateless; the functions run on the thread that runs the state.
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>table.*.</summary>
internal static class TableLibrary
{
    public static LuaTable Create() =>
        NativeTable.Create(
            ("concat", Concatenate),
            ("foreach", ForEach),
            ("foreachi", ForEachElement),
            ("getn", static call => call.Return((double)call.CheckTable(1).Length)),
            ("insert", Insert),
            ("maxn", MaxN),
            ("remove", Remove),
            ("setn", SetN),
            ("sort", Sort)
        );

    private static int Concatenate(NativeCall call)
    {
        LuaString separator = call.IsNoneOrNil(2) ? LuaString.Empty : call.CheckString(2);
        LuaTable table = call.CheckTable(1);
        long first = call.OptionalInteger(3, 1);
        long last = call.IsNoneOrNil(4) ? table.Length : call.CheckInteger(4);
        ByteBuilder result = call.State.Builders.Rent();
        Span<byte> number = stackalloc byte[NumberText.MaxLength];
        for (long i = first; i <= last; i++)
        {
            LuaValue value = table.Get((int)i);
            if (value.Object is LuaString text)
                result.Append(text.Span);
            else if (value.IsNumber)
                result.Append(number[..NumberText.Format(value.Number, number)]);
            else
                throw call.Error($"invalid value ({OperandErrors.TypeName(value)}) at index {i} in table for 'concat'");
            if (i < last)
                result.Append(separator.Span);
            call.State.ChargeInstructions(value.IsNumber ? 5 : 1);
        }

        var joined = result.ToLuaString();
        call.State.Builders.Return(result);
        return call.Return(new LuaValue(joined));
    }

    private static int ForEach(NativeCall call)
    {
        LuaTable table = call.CheckTable(1);
        LuaValue function = call.CheckFunction(2);
        LuaValue key = LuaValue.Nil;
        LuaValue value = default;
        while (table.Next(ref key, ref value))
        {
            LuaValue result = CallBack(call, function, key, value);
            if (!result.IsNil)
                return call.Return(result);
        }

        return 0;
    }

    private static int ForEachElement(NativeCall call)
    {
        LuaTable table = call.CheckTable(1);
        LuaValue function = call.CheckFunction(2);
        int length = table.Length;
        for (int i = 1; i <= length; i++)
        {
            LuaValue result = CallBack(call, function, new LuaValue((double)i), table.Get(i));
            if (!result.IsNil)
                return call.Return(result);
        }

        return 0;
    }

    private static LuaValue CallBack(NativeCall call, in LuaValue function, in LuaValue first, in LuaValue second)
    {
        LuaThread thread = call.Thread;
        int top = thread.Top;
        thread.Push(function);
        thread.Push(first);
        thread.Push(second);
        thread.Call(top, 2, 1, FrameCaller.Native);
        thread.Top = top;
        thread.State.ChargeInstructions(1);
        return thread.Stack[top];
    }

    private static int Insert(NativeCall call)
    {
        LuaTable table = call.CheckTable(1);
        long end = table.Length + 1L;
        long position = end;
        switch (call.Count)
        {
            case 2:
                break;
            case 3:
                position = call.CheckInteger(2);
                end = Math.Max(end, position);
                BaseLibrary.CheckWritable(call, table);
                for (long i = end; i > position; i--)
                {
                    table.Set((int)i, table.Get((int)i - 1));
                    call.State.ChargeInstructions(1);
                }

                break;
            default:
                throw call.Error("wrong number of arguments to 'insert'");
        }

        BaseLibrary.CheckWritable(call, table);
        table.Set((int)position, call[call.Count]);
        return 0;
    }

    private static int MaxN(NativeCall call)
    {
        LuaTable table = call.CheckTable(1);
        double max = 0;
        LuaValue key = LuaValue.Nil;
        LuaValue value = default;
        while (table.Next(ref key, ref value))
        {
            if (key.IsNumber && key.Number > max)
                max = key.Number;
            call.State.ChargeInstructions(1);
        }

        return call.Return(max);
    }

    private static int Remove(NativeCall call)
    {
        LuaTable table = call.CheckTable(1);
        int end = table.Length;
        int position = call.OptionalInteger(2, end);
        if (position < 1 || position > end)
            return 0;
        BaseLibrary.CheckWritable(call, table);
        LuaValue removed = table.Get(position);
        for (; position < end; position++)
        {
            table.Set(position, table.Get(position + 1));
            call.State.ChargeInstructions(1);
        }

        table.Set(end, LuaValue.Nil);
        return call.Return(removed);
    }

    private static int SetN(NativeCall call)
    {
        call.CheckTable(1);
        throw call.Error("'setn' is obsolete");
    }

    private static int Sort(NativeCall call)
    {
        LuaTable table = call.CheckTable(1);
        int length = table.Length;
        if (!call.IsNoneOrNil(2))
            call.CheckFunction(2);
        BaseLibrary.CheckWritable(call, table);
        new TableSort(call, table, call[2]).Run(1, length);
        return 0;
    }
}
