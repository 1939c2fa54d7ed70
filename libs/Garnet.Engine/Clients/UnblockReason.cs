// Why the wait of a client is ended by others.
namespace Garnet.Engine.Clients;

/// <summary>Decides the reply of a wait that ends early.</summary>
internal enum UnblockReason
{
    /// <summary>CLIENT UNBLOCK: as if it had timed out.</summary>
    Timeout,

    /// <summary>CLIENT UNBLOCK ... ERROR.</summary>
    Error,

    /// <summary>The server has become a replica; the connection ends after the reply.</summary>
    RoleChange,
}
