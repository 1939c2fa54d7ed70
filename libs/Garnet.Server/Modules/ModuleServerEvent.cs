// What happens to a server that modules are told of. Immutable.
namespace Garnet.Server.Modules;

/// <summary>An event of the server; the public enumeration has the same values.</summary>
internal enum ModuleServerEvent
{
    /// <summary>The data is loaded, and clients are served.</summary>
    Ready = 0,

    /// <summary>The server has become a replica.</summary>
    BecameReplica = 1,

    /// <summary>The server has become a primary.</summary>
    BecamePrimary = 2,

    /// <summary>A snapshot was saved.</summary>
    Saved = 3,

    /// <summary>A snapshot could not be saved.</summary>
    SaveFailed = 4,

    /// <summary>All keys of a database were removed.</summary>
    Flushed = 5,
}
