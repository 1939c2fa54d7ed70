// How a client asks the host to stop the server. Any thread.
namespace Garnet.Server.Shutdown;

/// <summary>Raised by SHUTDOWN; the host drains connections and ends.</summary>
internal sealed class ShutdownSignal
{
    /// <summary>Raised when a client asks the server to stop.</summary>
    public event Action? Requested;

    /// <summary>Asks the host to stop the server.</summary>
    public void Request() => Requested?.Invoke();
}
