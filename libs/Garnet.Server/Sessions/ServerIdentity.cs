// The identifier of the server's process. Any thread.
using Garnet.Store;

namespace Garnet.Server.Sessions;

/// <summary>Random identifiers of forty hexadecimal digits.</summary>
internal sealed class ServerIdentity
{
    /// <summary>Identifies the process; new at each start.</summary>
    public string RunId { get; } = NewId();

    /// <summary>A new random identifier.</summary>
    internal static string NewId() => Convert.ToHexStringLower(SecureRandom.Bytes(20));
}
