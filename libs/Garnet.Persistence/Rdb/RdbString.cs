// The forms that a string takes in RDB data beside its plain bytes. Frozen by the format.
namespace Garnet.Persistence.Rdb;

/// <summary>First bytes of strings that are not written as length and bytes.</summary>
internal static class RdbString
{
    /// <summary>One byte follows: the string is its number's text.</summary>
    public const byte Int8 = 0xC0;

    /// <summary>Two bytes, little endian.</summary>
    public const byte Int16 = 0xC1;

    /// <summary>Four bytes, little endian.</summary>
    public const byte Int32 = 0xC2;

    /// <summary>Length compressed, length original, LZF data.</summary>
    public const byte Compressed = 0xC3;

    /// <summary>Longest text of a number.</summary>
    public const int MaxIntegerText = 11;

    /// <summary>Longest string anybody may store.</summary>
    public const long MaxBytes = int.MaxValue - 1024;
}
