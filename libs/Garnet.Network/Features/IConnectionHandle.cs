// Feature: the system's handle of a connection's socket. Any thread.
namespace Garnet.Network.Features;

/// <summary>For matching a client with the output of system tools; the socket must not be used through it.</summary>
internal interface IConnectionHandle
{
    /// <summary>The socket's descriptor or handle, -1 once it is closed.</summary>
    int Handle { get; }
}
