// Small numbers in few bytes. The writer belongs to one thread; what it wrote may be read by any.
namespace Garnet.Lua.Execution;

/// <summary>Integers with seven bits in each byte, the lowest first; all but the last byte of a number have the eighth bit set.</summary>
internal static class PackedNumbers
{
    public static void Add(List<byte> target, int number)
    {
        uint rest = (uint)number;
        for (; rest > 127; rest >>= 7)
            target.Add((byte)(rest | 128));
        target.Add((byte)rest);
    }

    /// <summary>Adds a number that may be negative; small absolute values take one byte.</summary>
    public static void AddSigned(List<byte> target, int number) => Add(target, (number << 1) ^ (number >> 31));

    public static int Read(ReadOnlySpan<byte> source, ref int position)
    {
        uint number = 0;
        for (int shift = 0; ; shift += 7)
        {
            byte part = source[position++];
            number |= (uint)(part & 127) << shift;
            if (part < 128)
                return (int)number;
        }
    }

    public static int ReadSigned(ReadOnlySpan<byte> source, ref int position)
    {
        uint number = (uint)Read(source, ref position);
        return (int)(number >> 1) ^ -(int)(number & 1);
    }
}
