// Values to MessagePack. Used by the thread that runs the state.
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>Writes values in their shortest form; tables nested deeper than 16 levels become nil.</summary>
internal readonly struct MessagePackWriter(NativeCall call, ByteBuilder output)
{
    private const int MaxNesting = 16;

    public void Write(in LuaValue value, int depth)
    {
        call.State.ChargeInstructions(1);
        switch (value.Object)
        {
            case LuaString text:
                WriteString(text.Span);
                break;
            case null:
                WriteNumber(value.Number);
                break;
            case LuaTable table when depth < MaxNesting:
                WriteTable(table, depth);
                break;
            case LuaSingleton when !value.IsNil:
                output.Append(value.IsTruthy ? (byte)0xc3 : (byte)0xc2);
                break;
            default:
                output.Append(0xc0);
                break;
        }
    }

    private void WriteHeader(byte code, ulong value, int bytes)
    {
        output.Append(code);
        for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8)
            output.Append((byte)(value >> shift));
    }

    private void WriteString(ReadOnlySpan<byte> text)
    {
        uint length = (uint)text.Length;
        switch (length)
        {
            case < 32:
                output.Append((byte)(0xa0 | length));
                break;
            case <= byte.MaxValue:
                WriteHeader(0xd9, length, 1);
                break;
            case <= ushort.MaxValue:
                WriteHeader(0xda, length, 2);
                break;
            default:
                WriteHeader(0xdb, length, 4);
                break;
        }

        output.Append(text);
        call.State.ChargeInstructions((int)(length >> 5));
    }

    private void WriteNumber(double number)
    {
        long integer = NumberText.ToLong(number);
        if (integer == number && number < 9.2233720368547758E18)
            WriteInteger(integer);
        else if (number == (float)number)
            WriteHeader(0xca, BitConverter.SingleToUInt32Bits((float)number), 4);
        else
            WriteHeader(0xcb, BitConverter.DoubleToUInt64Bits(number), 8);
    }

    private void WriteInteger(long value)
    {
        ulong bits = unchecked((ulong)value);
        switch (value)
        {
            case >= -32 and <= 127:
                output.Append(unchecked((byte)value));
                break;
            case >= 0 and <= byte.MaxValue:
                WriteHeader(0xcc, bits, 1);
                break;
            case >= 0 and <= ushort.MaxValue:
                WriteHeader(0xcd, bits, 2);
                break;
            case >= 0 and <= uint.MaxValue:
                WriteHeader(0xce, bits, 4);
                break;
            case >= 0:
                WriteHeader(0xcf, bits, 8);
                break;
            case >= sbyte.MinValue:
                WriteHeader(0xd0, bits, 1);
                break;
            case >= short.MinValue:
                WriteHeader(0xd1, bits, 2);
                break;
            case >= int.MinValue:
                WriteHeader(0xd2, bits, 4);
                break;
            default:
                WriteHeader(0xd3, bits, 8);
                break;
        }
    }

    private void WriteTable(LuaTable table, int depth)
    {
        if (IsArray(table, out int entries))
        {
            int length = table.Length;
            WriteCount(length, 0x90, 0xdc);
            for (int i = 1; i <= length; i++)
                Write(table.Get(i), depth + 1);
            return;
        }

        WriteCount(entries, 0x80, 0xde);
        LuaValue key = LuaValue.Nil;
        LuaValue value = default;
        while (table.Next(ref key, ref value))
        {
            Write(key, depth + 1);
            Write(value, depth + 1);
        }
    }

    private void WriteCount(int count, byte shortCode, byte longCode)
    {
        if (count <= 15)
            output.Append((byte)(shortCode | count));
        else if (count <= ushort.MaxValue)
            WriteHeader(longCode, (uint)count, 2);
        else
            WriteHeader((byte)(longCode + 1), (uint)count, 4);
    }

    // Whether the keys are exactly 1 to n; an empty table is an array.
    private bool IsArray(LuaTable table, out int entries)
    {
        double max = 0;
        bool isArray = true;
        entries = 0;
        LuaValue key = LuaValue.Nil;
        LuaValue value = default;
        while (table.Next(ref key, ref value))
        {
            isArray &= key.IsNumber && key.Number > 0 && (int)key.Number == key.Number;
            max = Math.Max(max, key.Number);
            entries++;
            call.State.ChargeInstructions(1);
        }

        return isArray && max == entries;
    }
}
