// The hash slots of the cluster specification. Stateless; any thread.
namespace Garnet.Server.Commands.Cluster;

/// <summary>CRC-16/XMODEM of a key, or of the part of it between braces, so that related keys can be given the same slot.</summary>
internal static class KeySlot
{
    /// <summary>The number of slots.</summary>
    public const int Count = 16384;

    private const int Polynomial = 0x1021;

    private static readonly ushort[] Table = CreateTable();

    /// <summary>The slot of a key, from 0 to <see cref="Count"/> - 1.</summary>
    public static int Of(ReadOnlySpan<byte> key)
    {
        int crc = 0;
        foreach (byte value in HashedPart(key))
            crc = ((crc << 8) ^ Table[((crc >> 8) ^ value) & 0xFF]) & 0xFFFF;
        return crc % Count;
    }

    // What stands between the first opening brace and the first closing one after it, unless that is nothing.
    private static ReadOnlySpan<byte> HashedPart(ReadOnlySpan<byte> key)
    {
        int open = key.IndexOf((byte)'{');
        if (open < 0)
            return key;
        ReadOnlySpan<byte> rest = key[(open + 1)..];
        int close = rest.IndexOf((byte)'}');
        return close <= 0 ? key : rest[..close];
    }

    private static ushort[] CreateTable()
    {
        ushort[] table = new ushort[256];
        for (int value = 0; value < table.Length; value++)
        {
            int crc = value << 8;
            for (int bit = 0; bit < 8; bit++)
                crc = (crc & 0x8000) != 0 ? (crc << 1) ^ Polynomial : crc << 1;
            table[value] = (ushort)crc;
        }

        return table;
    }
}
