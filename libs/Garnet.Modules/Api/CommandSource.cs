// Who makes a request. Immutable.
namespace Garnet.Modules;

/// <summary>Where a request that a filter sees comes from.</summary>
public enum CommandSource
{
    /// <summary>A client of a connection, or the application that the server is part of.</summary>
    Client = 0,

    /// <summary>A script or function.</summary>
    Script = 1,

    /// <summary>A module.</summary>
    Module = 2,
}
