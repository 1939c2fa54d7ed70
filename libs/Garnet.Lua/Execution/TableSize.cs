// Sizes of tables in instructions. Stateless; any thread.
namespace Garnet.Lua.Execution;

/// <summary>
/// The size that a table constructor asks for, in sixteen bits: small ones as they are, others as four significant bits and a shift. As in
/// Lua 5.1 sizes above 15 are rounded up to such a number.
/// </summary>
internal static class TableSize
{
    private const int SignificantBits = 4;
    private const int Limit = 1 << SignificantBits;
    private const int ShiftedFlag = 0x8000;

    /// <summary>The size that a table gets for so many fields.</summary>
    public static int Round(int size)
    {
        int shift = ShiftOf(size, out int rest);
        return rest << shift;
    }

    /// <summary>A rounded size as an operand.</summary>
    public static ushort Encode(int size)
    {
        if (size < ShiftedFlag)
            return (ushort)size;
        int shift = ShiftOf(size, out int rest);
        return (ushort)(ShiftedFlag | (shift << SignificantBits) | rest);
    }

    /// <summary>The size that an operand stands for.</summary>
    public static int Decode(ushort operand) =>
        operand < ShiftedFlag ? operand : (operand & (Limit - 1)) << ((operand & ~ShiftedFlag) >> SignificantBits);

    private static int ShiftOf(int size, out int rest)
    {
        int shift = 0;
        for (rest = size; rest >= Limit; rest = (rest + 1) >> 1)
            shift++;
        return shift;
    }
}
