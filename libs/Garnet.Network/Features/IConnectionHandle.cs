// Feature: the number by which the system knows a connection's socket. Any thread.
namespace Garnet.Network.Features;

/// <summary>For people who compare a client with what the system's tools show; nothing may be done with the socket by it.</summary>
public interface IConnectionHandle
{
    /// <summary>The socket's descriptor or handle, -1 once it is closed.</summary>
    int Handle { get; }
}
