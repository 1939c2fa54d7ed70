// A value on disk with what is checked when it is read. Pure functions.
using System.Numerics;
using System.Runtime.InteropServices;

namespace Garnet.Store.Tiering;

/// <summary>24 bytes before each value.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct TierObject
{
    /// <summary>The size of the structure.</summary>
    public const int HeaderBytes = 24;

    /// <summary>CRC-32C of all that follows.</summary>
    public uint Checksum;

    /// <summary>The value's length; 0 where nothing follows up to the next multiple of the device's alignment.</summary>
    public int Length;

    /// <summary>The salted hash of its key.</summary>
    public ulong Hash;

    /// <summary>How often its segment had been used when it was written.</summary>
    public uint Generation;

    /// <summary>The type and form of its record.</summary>
    public uint Form;

    /// <summary>What a value takes on disk.</summary>
    public static int BytesFor(int length) => (HeaderBytes + length + ColdLocator.Unit - 1) & -ColdLocator.Unit;

    /// <summary>Puts the checksum into an object that is otherwise complete.</summary>
    public static unsafe void Seal(byte* at) => ((TierObject*)at)->Checksum = ChecksumOf(at);

    /// <summary>Whether the object at a place is whole, within the bytes that are there.</summary>
    public static unsafe bool IsWhole(byte* at, int available)
    {
        var header = (TierObject*)at;
        return available >= HeaderBytes
            && header->Length > 0
            && header->Length <= available - HeaderBytes
            && header->Checksum == ChecksumOf(at);
    }

    /// <summary>The value of the object at a place.</summary>
    public static unsafe Span<byte> ValueOf(byte* at) => new(at + HeaderBytes, ((TierObject*)at)->Length);

    private static unsafe uint ChecksumOf(byte* at)
    {
        int bytes = HeaderBytes + ((TierObject*)at)->Length - sizeof(uint);
        byte* next = at + sizeof(uint);
        uint crc = uint.MaxValue;
        for (; bytes >= sizeof(ulong); bytes -= sizeof(ulong), next += sizeof(ulong))
            crc = BitOperations.Crc32C(crc, *(ulong*)next);
        for (; bytes > 0; bytes--, next++)
            crc = BitOperations.Crc32C(crc, *next);
        return ~crc;
    }
}
