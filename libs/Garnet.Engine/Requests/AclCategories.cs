// The ACL categories of commands, in the order of COMMAND INFO. Immutable.
namespace Garnet.Engine.Requests;

/// <summary>ACL categories; names are those of Valkey.</summary>
[Flags]
internal enum AclCategories
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>@keyspace.</summary>
    Keyspace = 1 << 0,

    /// <summary>@read.</summary>
    Read = 1 << 1,

    /// <summary>@write.</summary>
    Write = 1 << 2,

    /// <summary>@set.</summary>
    Set = 1 << 3,

    /// <summary>@sortedset.</summary>
    SortedSet = 1 << 4,

    /// <summary>@list.</summary>
    List = 1 << 5,

    /// <summary>@hash.</summary>
    Hash = 1 << 6,

    /// <summary>@string.</summary>
    String = 1 << 7,

    /// <summary>@bitmap.</summary>
    Bitmap = 1 << 8,

    /// <summary>@hyperloglog.</summary>
    HyperLogLog = 1 << 9,

    /// <summary>@geo.</summary>
    Geo = 1 << 10,

    /// <summary>@stream.</summary>
    Stream = 1 << 11,

    /// <summary>@pubsub.</summary>
    PubSub = 1 << 12,

    /// <summary>@admin.</summary>
    Admin = 1 << 13,

    /// <summary>@fast.</summary>
    Fast = 1 << 14,

    /// <summary>@slow.</summary>
    Slow = 1 << 15,

    /// <summary>@blocking.</summary>
    Blocking = 1 << 16,

    /// <summary>@dangerous.</summary>
    Dangerous = 1 << 17,

    /// <summary>@connection.</summary>
    Connection = 1 << 18,

    /// <summary>@transaction.</summary>
    Transaction = 1 << 19,

    /// <summary>@scripting.</summary>
    Scripting = 1 << 20,
}
