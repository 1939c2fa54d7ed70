// Reads what determines the encoding of a value. Lives on the stack of one read.
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Commands.Keys;

/// <summary>Keeps a record's metadata, the first byte of its value, and whether the value is the text of a 64-bit integer.</summary>
internal struct StringFormReader : IValueReader
{
    /// <summary>Metadata of the record.</summary>
    public RecordInfo Info { get; private set; }

    /// <summary>Length of the value in bytes.</summary>
    public int Length { get; private set; }

    /// <summary>The first byte of the value, 0 for an empty one.</summary>
    public byte First { get; private set; }

    /// <summary>Whether the value is the text of an integer.</summary>
    public bool IsInteger { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
    {
        Info = info;
        Length = value.Length;
        First = value.IsEmpty ? (byte)0 : value[0];
        IsInteger = IntegerText.TryParse(value, out _);
    }
}
