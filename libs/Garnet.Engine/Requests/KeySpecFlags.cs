// How a command accesses the keys of one key specification. Immutable.
namespace Garnet.Engine.Requests;

/// <summary>Access flags of a key specification, as in COMMAND INFO and COMMAND GETKEYSANDFLAGS.</summary>
[Flags]
internal enum KeySpecFlags
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Read and written.</summary>
    RW = 1 << 0,

    /// <summary>Read only.</summary>
    RO = 1 << 1,

    /// <summary>Overwritten without reading.</summary>
    OW = 1 << 2,

    /// <summary>Removed.</summary>
    RM = 1 << 3,

    /// <summary>User data is returned or copied.</summary>
    Access = 1 << 4,

    /// <summary>Data is updated depending on its previous value.</summary>
    Update = 1 << 5,

    /// <summary>Data is added without reading or changing existing data.</summary>
    Insert = 1 << 6,

    /// <summary>Data is removed.</summary>
    Delete = 1 << 7,

    /// <summary>Not a key of this server's keyspace.</summary>
    NotKey = 1 << 8,

    /// <summary>The specification may miss keys.</summary>
    Incomplete = 1 << 9,

    /// <summary>The flags depend on the arguments.</summary>
    VariableFlags = 1 << 10,
}
