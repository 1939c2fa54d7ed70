// Gives the items of a saved value. Used during one call.
using Garnet.Store.DataTypes;

namespace Garnet.Modules;

/// <summary>Reads the items of a value of a module's type; each call gives the next one, or false when that is of another kind.</summary>
public readonly ref struct TypeReader
{
    private readonly ICustomValueReader _reader;

    internal TypeReader(ICustomValueReader reader) => _reader = reader;

    /// <summary>Reads a signed integer.</summary>
    public bool TryRead(out long value) => _reader.TryReadInt64(out value);

    /// <summary>Reads an unsigned integer.</summary>
    public bool TryRead(out ulong value) => _reader.TryReadUInt64(out value);

    /// <summary>Reads a double.</summary>
    public bool TryRead(out double value) => _reader.TryReadDouble(out value);

    /// <summary>Reads bytes, valid until the next call.</summary>
    public bool TryRead(out ReadOnlySpan<byte> value) => _reader.TryReadString(out value);
}
