// The row of strings in the table of types. Immutable; any thread.
namespace Garnet.Store.DataTypes;

/// <summary>
/// Strings. Their encoding depends on more than the value: OBJECT ENCODING reports what Valkey would have made of its history.
/// </summary>
internal sealed class StringType() : DataType(RecordType.String, "string", 0)
{
    public override ReadOnlySpan<byte> EncodingOf(scoped ReadOnlySpan<byte> value) => "raw"u8;

    public override long CountOf(scoped ReadOnlySpan<byte> value) => 1;
}
