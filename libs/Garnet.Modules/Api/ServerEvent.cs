// What happens to a server that modules are told of. Immutable.
namespace Garnet.Modules;

/// <summary>An event of the server; see <see cref="IModuleHost.OnServerEvent"/>. The end of the server is a module's Unload.</summary>
public enum ServerEvent
{
    /// <summary>The data is loaded, and clients are served. Also raised for a module that is loaded later.</summary>
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
