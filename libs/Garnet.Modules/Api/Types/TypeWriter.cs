// Takes the items of a saved value. Used during one call.
using Garnet.Store.DataTypes;

namespace Garnet.Modules;

/// <summary>Writes the items of a value of a module's type.</summary>
public readonly ref struct TypeWriter
{
    private readonly ICustomValueWriter _writer;

    internal TypeWriter(ICustomValueWriter writer) => _writer = writer;

    /// <summary>Writes a signed integer.</summary>
    public void Write(long value) => _writer.WriteInt64(value);

    /// <summary>Writes an unsigned integer.</summary>
    public void Write(ulong value) => _writer.WriteUInt64(value);

    /// <summary>Writes a double.</summary>
    public void Write(double value) => _writer.WriteDouble(value);

    /// <summary>Writes bytes.</summary>
    public void Write(ReadOnlySpan<byte> value) => _writer.WriteString(value);
}
