// Encoding names as reported by OBJECT ENCODING. Pure functions of the value's bytes.
namespace Garnet.Store.Collections;

/// <summary>Names the encoding that Valkey would report for a collection with the same history.</summary>
public static class CollectionEncoding
{
    /// <summary>The encoding name of a value that is not a string; only its first byte is needed.</summary>
    public static ReadOnlySpan<byte> NameOf(RecordType type, scoped ReadOnlySpan<byte> value)
    {
        int form = PackedForm.FormOf(value);
        bool isLarge = (form & PackedForm.IsLarge) != 0;
        return type switch
        {
            RecordType.List => isLarge ? "quicklist"u8 : "listpack"u8,
            RecordType.SortedSet => isLarge ? "skiplist"u8 : "listpack"u8,
            RecordType.Stream => "stream"u8,
            RecordType.Set when (form & PackedForm.KindMask) == PackedForm.Integers => "intset"u8,
            _ => isLarge ? "hashtable"u8 : "listpack"u8,
        };
    }
}
