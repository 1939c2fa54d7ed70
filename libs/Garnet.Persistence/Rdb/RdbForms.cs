// In which RDB form each type of collection is written. Pure functions.
using Garnet.Store;
using Garnet.Store.Collections;

namespace Garnet.Persistence.Rdb;

/// <summary>Strings, streams and custom types have one form each; a collection has a plain one, and may have a packed one.</summary>
internal static class RdbForms
{
    /// <summary>The form for files, which every version reads; a list in its nodes, which Redis reads since 7.0.</summary>
    public static RdbType Plain(in CollectionImage collection) =>
        collection.Type switch
        {
            RecordType.List => RdbType.ListQuickList2,
            RecordType.Set => RdbType.Set,
            RecordType.SortedSet => RdbType.SortedSet,
            _ => collection.ExpiringFields > 0 ? RdbType.HashExpiring : RdbType.Hash,
        };

    /// <summary>The form that Valkey gives a small collection in payloads; null when it has none.</summary>
    public static RdbType? Packed(in CollectionImage collection) =>
        collection.Type switch
        {
            RecordType.Set => collection.IntegerWidth > 0 ? RdbType.SetIntSet : null,
            RecordType.List => null,
            _ when !collection.EncodingName.SequenceEqual("listpack"u8) => null,
            RecordType.Hash => RdbType.HashListPack,
            _ => RdbType.SortedSetListPack,
        };
}
