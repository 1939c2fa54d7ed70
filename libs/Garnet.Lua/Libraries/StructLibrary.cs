// Binary layouts of C. Stateless; the functions run on the thread that runs the state.
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>struct.pack, struct.unpack and struct.size.</summary>
internal static class StructLibrary
{
    public static LuaTable Create() => NativeTable.Create(("pack", Pack), ("unpack", Unpack), ("size", Size));

    private static int Pack(NativeCall call)
    {
        var format = new StructFormat(call, call.CheckString(1).Span);
        ByteBuilder result = call.State.Builders.Rent();
        int argument = 2;
        Span<byte> number = stackalloc byte[StructFormat.MaxIntegerBytes];
        while (format.Next(result.Length))
        {
            call.State.ChargeInstructions(1);
            result.Append(0, format.Padding);
            int size = format.Size;
            switch (format.Option)
            {
                case 'b' or 'B' or 'h' or 'H' or 'l' or 'L' or 'T' or 'i' or 'I':
                    WriteInteger(number[..size], ToInteger(NumberAt(call, argument++)), format.IsLittleEndian);
                    result.Append(number[..size]);
                    break;
                case 'x':
                    result.Append((byte)0);
                    break;
                case 'f':
                    WriteInteger(number[..4], BitConverter.SingleToUInt32Bits((float)NumberAt(call, argument++)), format.IsLittleEndian);
                    result.Append(number[..4]);
                    break;
                case 'd':
                    WriteInteger(number[..8], BitConverter.DoubleToUInt64Bits(NumberAt(call, argument++)), format.IsLittleEndian);
                    result.Append(number[..8]);
                    break;
                case 'c' or 's':
                {
                    if (argument > call.Count)
                        throw call.ArgumentError(argument, "string expected, got nil");
                    LuaString text = call.CheckString(argument++);
                    if (size == 0)
                        size = text.Length;
                    if (text.Length < size)
                        throw call.ArgumentError(argument, "string too short");
                    result.Append(text.Span[..size]);
                    if (format.Option == 's')
                        result.Append((byte)0);
                    break;
                }

                default:
                    format.Control();
                    break;
            }
        }

        var packed = result.ToLuaString();
        call.State.Builders.Return(result);
        return call.Return(new LuaValue(packed));
    }

    // What is missing is reported as nil.
    private static double NumberAt(NativeCall call, int argument) =>
        argument <= call.Count ? call.CheckNumber(argument) : throw call.ArgumentError(argument, "number expected, got nil");

    private static int Unpack(NativeCall call)
    {
        var format = new StructFormat(call, call.CheckString(1).Span);
        ReadOnlySpan<byte> data = call.CheckString(2).Span;
        long position = call.OptionalLong(3, 1);
        // The offset is unsigned in C: negative ones are beyond the end.
        if (position == 0)
            throw call.ArgumentError(3, "offset must be 1 or greater");
        position--;
        int count = 0;
        while (format.Next(position))
        {
            call.State.ChargeInstructions(1);
            position += format.Padding;
            long size = format.Size;
            CheckRoom(call, data, position, size);
            if (count >= LuaThread.MaxResults - 2)
                throw call.Error("stack overflow (too many results)");
            switch (format.Option)
            {
                case 'b' or 'B' or 'h' or 'H' or 'l' or 'L' or 'T' or 'i' or 'I':
                    call.Return(ReadInteger(data.Slice((int)position, (int)size), format));
                    count++;
                    break;
                case 'x':
                    break;
                case 'f':
                    call.Return(BitConverter.UInt32BitsToSingle((uint)ReadUnsigned(data.Slice((int)position, 4), format.IsLittleEndian)));
                    count++;
                    break;
                case 'd':
                    call.Return(BitConverter.UInt64BitsToDouble(ReadUnsigned(data.Slice((int)position, 8), format.IsLittleEndian)));
                    count++;
                    break;
                case 'c':
                    if (size == 0)
                        size = TakeSize(call, data, position, ref count);
                    call.Return(data.Slice((int)position, (int)size));
                    count++;
                    break;
                case 's':
                {
                    int length = data[(int)position..].IndexOf((byte)0);
                    call.State.ChargeInstructions((length < 0 ? data.Length - position : length) >> 5);
                    if (length < 0)
                        throw call.Error("unfinished string in data");
                    call.Return(data.Slice((int)position, length));
                    count++;
                    size = length + 1;
                    break;
                }

                default:
                    format.Control();
                    break;
            }

            position += size;
        }

        call.Return(position + 1.0);
        return count + 1;
    }

    // c0 takes its length from the number before it.
    private static long TakeSize(NativeCall call, ReadOnlySpan<byte> data, long position, ref int count)
    {
        LuaThread thread = call.Thread;
        if (count == 0 || !Operations.TryToNumber(call.State, thread.Stack[thread.Top - 1], out double size))
            throw call.Error("format 'c0' needs a previous size");
        thread.Top--;
        count--;
        long length = size >= 0 ? NumberText.ToLong(size) : -1;
        CheckRoom(call, data, position, length);
        return length;
    }

    private static void CheckRoom(NativeCall call, ReadOnlySpan<byte> data, long position, long size)
    {
        if (size < 0 || position < 0 || size > data.Length || position > data.Length - size)
            throw call.ArgumentError(2, "data string too short");
    }

    private static int Size(NativeCall call)
    {
        var format = new StructFormat(call, call.CheckString(1).Span);
        long position = 0;
        while (format.Next(position))
        {
            call.State.ChargeInstructions(1);
            position += format.Padding;
            if (format.Option == 's')
                throw call.ArgumentError(1, "option 's' has no fixed size");
            if (format.Option == 'c' && format.Size == 0)
                throw call.ArgumentError(1, "option 'c0' has no fixed size");
            if (!char.IsAsciiLetterOrDigit((char)format.Option))
                format.Control();
            position += format.Size;
        }

        return call.Return((double)position);
    }

    // C converts negative numbers through a signed integer and others to an unsigned one; x86-64 makes the smallest integer of a NaN.
    private static ulong ToInteger(double number) =>
        number < 9.2233720368547758E18 || double.IsNaN(number) ? unchecked((ulong)NumberText.ToLong(number))
        : number < 1.8446744073709552E19 ? (ulong)(number - 9.2233720368547758E18) + (1UL << 63)
        : 0;

    private static void WriteInteger(Span<byte> target, ulong value, bool isLittleEndian)
    {
        for (int i = 0; i < target.Length; i++)
        {
            target[isLittleEndian ? i : target.Length - 1 - i] = (byte)(i < 8 ? value : 0);
            value >>= 8;
        }
    }

    // Of more than eight bytes, those of the lowest value count.
    private static ulong ReadUnsigned(ReadOnlySpan<byte> source, bool isLittleEndian)
    {
        ulong value = 0;
        for (int i = 0; i < source.Length; i++)
            value = (value << 8) | source[isLittleEndian ? source.Length - 1 - i : i];
        return value;
    }

    // Of more than eight bytes the sign is in the bit at which Valkey's shift ends on most processors, as here: modulo 64.
    private static double ReadInteger(ReadOnlySpan<byte> source, in StructFormat format)
    {
        ulong value = ReadUnsigned(source, format.IsLittleEndian);
        if (!char.IsAsciiLetterLower((char)format.Option) || source.IsEmpty)
            return value;
        ulong sign = ulong.MaxValue << ((source.Length * 8) - 1);
        return (long)((value & sign) != 0 ? value | sign : value);
    }
}
