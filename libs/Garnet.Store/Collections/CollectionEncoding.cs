// The names that OBJECT ENCODING gives collections. Pure functions of the bytes.
namespace Garnet.Store.Collections;

/// <summary>Names the encoding that Valkey would use for a collection with the same past.</summary>
public static class CollectionEncoding
{
    /// <summary>The name for a value of a type other than string; its first byte is enough.</summary>
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
