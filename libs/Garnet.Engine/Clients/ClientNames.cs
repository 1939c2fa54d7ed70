// The names that a client gave for itself and its library. Part of a ClientSession: written by its thread, read by others for CLIENT LIST.

namespace Garnet.Engine.Clients;

/// <summary>Names given by the client; empty for none.</summary>
internal struct ClientNames()
{
    /// <summary>The connection's name, given by CLIENT SETNAME or HELLO.</summary>
    public string Client { get; set; } = "";

    /// <summary>The client library's name, given by CLIENT SETINFO.</summary>
    public string Library { get; set; } = "";

    /// <summary>The client library's version, given by CLIENT SETINFO.</summary>
    public string LibraryVersion { get; set; } = "";
}
