// Operations on 32-bit integers. Stateless; the functions run on the thread that runs the state.
using System.Buffers.Binary;
using System.Numerics;
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>bit.*: arguments are taken modulo 2^32, results are signed.</summary>
internal static class BitLibrary
{
    // Adding this moves the integer part of a double into its low 32 bits.
    private const double ToBits = 6755399441055744.0;
    private const int MaxHexDigits = 8;

    public static LuaTable Create() =>
        NativeTable.Create(
            ("tobit", static call => call.Return((double)(int)Bits(call, 1))),
            ("bnot", static call => call.Return((double)(int)~Bits(call, 1))),
            ("band", static call => Combine(call, static (a, b) => a & b)),
            ("bor", static call => Combine(call, static (a, b) => a | b)),
            ("bxor", static call => Combine(call, static (a, b) => a ^ b)),
            ("lshift", static call => Shift(call, static (value, count) => value << count)),
            ("rshift", static call => Shift(call, static (value, count) => value >> count)),
            ("arshift", static call => Shift(call, static (value, count) => (uint)((int)value >> count))),
            ("rol", static call => Shift(call, BitOperations.RotateLeft)),
            ("ror", static call => Shift(call, BitOperations.RotateRight)),
            ("bswap", static call => call.Return((double)(int)BinaryPrimitives.ReverseEndianness(Bits(call, 1)))),
            ("tohex", ToHex)
        );

    private static uint Bits(NativeCall call, int argument) => (uint)BitConverter.DoubleToUInt64Bits(call.CheckNumber(argument) + ToBits);

    private static int Combine(NativeCall call, Func<uint, uint, uint> combine)
    {
        uint result = Bits(call, 1);
        for (int i = call.Count; i > 1; i--)
            result = combine(result, Bits(call, i));
        return call.Return((double)(int)result);
    }

    private static int Shift(NativeCall call, Func<uint, int, uint> shift)
    {
        uint value = Bits(call, 1);
        return call.Return((double)(int)shift(value, (int)(Bits(call, 2) & 31)));
    }

    private static int ToHex(NativeCall call)
    {
        uint value = Bits(call, 1);
        long count = call.Count < 2 ? MaxHexDigits : (int)Bits(call, 2);
        ReadOnlySpan<byte> digits = count < 0 ? "0123456789ABCDEF"u8 : "0123456789abcdef"u8;
        int length = (int)Math.Min(MaxHexDigits, Math.Abs(count));
        Span<byte> text = stackalloc byte[MaxHexDigits];
        for (int i = length - 1; i >= 0; i--)
        {
            text[i] = digits[(int)(value & 15)];
            value >>= 4;
        }

        return call.Return(text[..length]);
    }
}
