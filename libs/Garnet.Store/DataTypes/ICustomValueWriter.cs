// What a custom type writes to when a value of it is saved.
namespace Garnet.Store.DataTypes;

/// <summary>Takes the items of a saved value of a custom type. Valid during the call only; one thread.</summary>
internal interface ICustomValueWriter
{
    /// <summary>Writes a signed integer.</summary>
    void WriteInt64(long value);

    /// <summary>Writes an unsigned integer.</summary>
    void WriteUInt64(ulong value);

    /// <summary>Writes a number as binary64.</summary>
    void WriteDouble(double value);

    /// <summary>Writes bytes.</summary>
    void WriteString(ReadOnlySpan<byte> value);
}
