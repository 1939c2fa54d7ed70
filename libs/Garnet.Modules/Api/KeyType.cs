// The type that a key holds. Immutable.
using Garnet.Store;

namespace Garnet.Modules;

/// <summary>What a key holds.</summary>
public enum KeyType
{
    /// <summary>A string.</summary>
    String = RecordType.String,

    /// <summary>A list.</summary>
    List = RecordType.List,

    /// <summary>A set.</summary>
    Set = RecordType.Set,

    /// <summary>A sorted set.</summary>
    SortedSet = RecordType.SortedSet,

    /// <summary>A hash.</summary>
    Hash = RecordType.Hash,

    /// <summary>A stream.</summary>
    Stream = RecordType.Stream,

    /// <summary>A type of a module.</summary>
    Custom = RecordType.Custom,
}
