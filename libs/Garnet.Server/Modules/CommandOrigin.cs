// Where a request comes from that modules filter.
namespace Garnet.Server.Modules;

/// <summary>Who calls a command; the values are those of the modules' contract.</summary>
internal enum CommandOrigin
{
    /// <summary>A client, whether of a connection or in the process.</summary>
    Client = 0,

    /// <summary>A script or function.</summary>
    Script = 1,

    /// <summary>A module.</summary>
    Module = 2,
}
