// The string functions. Stateless; the functions run on the thread that runs the state.
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>string.*, which strings also offer as methods.</summary>
internal static class StringLibrary
{
    // Of work that handles each byte on its own.
    private const int BytesPerInstruction = 8;

    public static LuaTable Create()
    {
        LuaTable table = NativeTable.Create(
            ("byte", Byte),
            ("char", Char),
            ("dump", Dump),
            ("find", static call => PatternFunctions.Find(call, isFind: true)),
            ("format", FormatFunction.Format),
            ("gmatch", PatternFunctions.Iterate),
            ("gsub", PatternFunctions.Replace),
            ("len", static call => call.Return((double)call.CheckString(1).Length)),
            ("lower", static call => Map(call, static c => c is >= (byte)'A' and <= (byte)'Z' ? (byte)(c + 32) : c)),
            ("match", static call => PatternFunctions.Find(call, isFind: false)),
            ("rep", Repeat),
            ("reverse", Reverse),
            ("sub", Sub),
            ("upper", static call => Map(call, static c => c is >= (byte)'a' and <= (byte)'z' ? (byte)(c - 32) : c))
        );
        table.Set("gfind", table.Get(LibraryNames.Get("gmatch")));
        return table;
    }

    /// <summary>A position that counts from the end if it is negative.</summary>
    public static long Position(long position, int length)
    {
        if (position >= 0)
            return position;
        return position + length + 1 < 0 ? 0 : position + length + 1;
    }

    private static int Byte(NativeCall call)
    {
        LuaString text = call.CheckString(1);
        long first = Position(call.OptionalLong(2, 1), text.Length);
        long last = Math.Min(Position(call.OptionalLong(3, first), text.Length), text.Length);
        first = Math.Max(first, 1);
        if (first > last)
            return 0;
        long count = last - first + 1;
        if (count > LuaThread.MaxResults - call.Count)
            throw call.Error("stack overflow (string slice too long)");
        call.State.ChargeInstructions(count >> 1);
        for (long i = first; i <= last; i++)
            call.Return((double)text[(int)i - 1]);
        return (int)count;
    }

    private static int Char(NativeCall call)
    {
        call.State.ChargeInstructions(call.Count);
        for (int i = 1; i <= call.Count; i++)
        {
            if ((uint)call.CheckInteger(i) > byte.MaxValue)
                throw call.ArgumentError(i, "invalid value");
        }

        LuaString result = call.State.Heap.NewString(call.Count, out Span<byte> bytes);
        for (int i = 0; i < bytes.Length; i++)
            bytes[i] = (byte)call.CheckInteger(i + 1);
        return call.Return(new LuaValue(result));
    }

    private static int Dump(NativeCall call)
    {
        call.CheckFunction(1);
        throw call.Error("unable to dump given function");
    }

    private static int Map(NativeCall call, Func<byte, byte> map)
    {
        LuaString text = call.CheckString(1);
        call.State.ChargeInstructions(text.Length / BytesPerInstruction);
        LuaString result = call.State.Heap.NewString(text.Length, out Span<byte> bytes);
        ReadOnlySpan<byte> source = text.Span;
        for (int i = 0; i < source.Length; i++)
            bytes[i] = map(source[i]);
        return call.Return(new LuaValue(result));
    }

    private static int Repeat(NativeCall call)
    {
        LuaString text = call.CheckString(1);
        int count = call.CheckInteger(2);
        if (count <= 0 || text.Length == 0)
            return call.Return(new LuaValue(LuaString.Empty));
        long length = (long)count * text.Length;
        if (length > LuaHeap.MaxStringBytes)
            throw call.Error("resulting string too large");
        LuaString result = call.State.Heap.NewString((int)length, out Span<byte> bytes);
        ReadOnlySpan<byte> source = text.Span;
        if (source.Length == 1)
        {
            bytes.Fill(source[0]);
        }
        else
        {
            // Twice as much with each step.
            source.CopyTo(bytes);
            for (int filled = source.Length; filled < bytes.Length; )
            {
                ReadOnlySpan<byte> part = bytes[..Math.Min(filled, bytes.Length - filled)];
                part.CopyTo(bytes[filled..]);
                filled += part.Length;
            }
        }

        return call.Return(new LuaValue(result));
    }

    private static int Reverse(NativeCall call)
    {
        LuaString text = call.CheckString(1);
        LuaString result = call.State.Heap.NewString(text.Length, out Span<byte> bytes);
        text.Span.CopyTo(bytes);
        bytes.Reverse();
        return call.Return(new LuaValue(result));
    }

    private static int Sub(NativeCall call)
    {
        LuaString text = call.CheckString(1);
        long first = Math.Max(1, Position(call.CheckLong(2), text.Length));
        long last = Math.Min(Position(call.OptionalLong(3, -1), text.Length), text.Length);
        if (first > last)
            return call.Return(new LuaValue(LuaString.Empty));
        if (first == 1 && last == text.Length)
            return call.Return(new LuaValue(text));
        return call.Return(text.Span.Slice((int)first - 1, (int)(last - first + 1)));
    }
}
