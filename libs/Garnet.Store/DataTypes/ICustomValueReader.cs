// What a custom type reads when a value of it is loaded.
namespace Garnet.Store.DataTypes;

/// <summary>
/// The items of a saved value of a custom type; each call gives the next one, or false when that is of another kind or there is none. Valid
/// during the call only; one thread.
/// </summary>
internal interface ICustomValueReader
{
    /// <summary>Reads a signed integer.</summary>
    bool TryReadInt64(out long value);

    /// <summary>Reads an unsigned integer.</summary>
    bool TryReadUInt64(out ulong value);

    /// <summary>Reads a number.</summary>
    bool TryReadDouble(out double value);

    /// <summary>Reads bytes, valid until the next call.</summary>
    bool TryReadString(out ReadOnlySpan<byte> value);
}
