// The peer sent something other than a valid reply. Immutable; any thread.
namespace Garnet.Client;

/// <summary>The bytes received are not RESP, or exceed a limit; the connection cannot be used any more.</summary>
public sealed class RespProtocolException : IOException
{
    /// <summary>An exception without a message of its own.</summary>
    public RespProtocolException() { }

    /// <summary>An exception that says what was wrong.</summary>
    public RespProtocolException(string message)
        : base(message) { }

    /// <summary>An exception with the one behind it.</summary>
    public RespProtocolException(string message, Exception innerException)
        : base(message, innerException) { }
}
