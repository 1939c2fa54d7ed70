// The encodings of strings in RDB data other than plain bytes. Frozen by the format.
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

    /// <summary>Compressed length, original length, LZF data.</summary>
    public const byte Compressed = 0xC3;

    /// <summary>Longest text of a number.</summary>
    public const int MaxIntegerText = 11;
}
