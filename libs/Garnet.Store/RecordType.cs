// The kind of value a record holds; the numbers are part of the record format and frozen.
namespace Garnet.Store;

/// <summary>The kind of value stored under a key.</summary>
internal enum RecordType : byte
{
    /// <summary>A string of 0 to 512 MB.</summary>
    String = 0,

    /// <summary>A list.</summary>
    List = 1,

    /// <summary>A set.</summary>
    Set = 2,

    /// <summary>A sorted set.</summary>
    SortedSet = 3,

    /// <summary>A hash.</summary>
    Hash = 4,

    /// <summary>A stream.</summary>
    Stream = 5,

    /// <summary>A type that was added: <see cref="DataTypes.CustomType"/>.</summary>
    Custom = 6,
}
