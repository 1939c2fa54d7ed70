<<<<<<< HEAD
// Identifiers of the server's process and of its history of changes, and whose process it is. Any thread.
=======
// The identifier of the server's process. Any thread.
>>>>>>> main
using Garnet.Store;

namespace Garnet.Server.Sessions;

/// <summary>Random identifiers of forty hexadecimal digits.</summary>
internal sealed class ServerIdentity
{
    /// <summary>Identifies the process; new at each start.</summary>
    public string RunId { get; } = NewId();

<<<<<<< HEAD
    /// <summary>Identifies this server's history of changes; new at each start and on request by DEBUG.</summary>
    public string ReplicationId { get; private set; } = NewId();

    /// <summary>Whether a service manager is told how the process is; set by the process, before clients connect.</summary>
    public bool IsSupervised { get; set; }

    /// <summary>Creates a new identifier for the history of changes. Any thread.</summary>
    internal void ChangeReplicationId() => ReplicationId = NewId();

    private static string NewId() => Convert.ToHexStringLower(SecureRandom.Bytes(20));
=======
    /// <summary>A new random identifier.</summary>
    internal static string NewId() => Convert.ToHexStringLower(SecureRandom.Bytes(20));
>>>>>>> main
}
