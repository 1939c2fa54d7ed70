// The connection ended, or what came over it is not RESP. A plain value; no thread owns it.
namespace Garnet.Cli.Connection;

/// <summary>The message is for the user of the command line.</summary>
/// <param name="message">What happened.</param>
/// <param name="canReconnect">Whether another connection may go better: false where the server does not speak RESP.</param>
internal sealed class ConnectionLostException(string message, bool canReconnect) : Exception(message)
{
    /// <summary>Whether another connection may go better.</summary>
    public bool CanReconnect { get; } = canReconnect;
}
