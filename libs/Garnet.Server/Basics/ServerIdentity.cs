// The identifier of the server's process, and whose process it is. Any thread.
using Garnet.Store;

namespace Garnet.Server.Basics;

/// <summary>Random identifiers of forty hexadecimal digits.</summary>
internal sealed class ServerIdentity
{
    /// <summary>Identifies the process; new at each start.</summary>
    public string RunId { get; } = NewId();

    /// <summary>Whether a service manager is told how the process is; set by the process, before clients connect.</summary>
    public bool IsSupervised { get; set; }

    /// <summary>A new random identifier.</summary>
    internal static string NewId() => Convert.ToHexStringLower(SecureRandom.Bytes(20));
}
