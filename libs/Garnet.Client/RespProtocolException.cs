// The peer sent what is no reply. Immutable; any thread.
namespace Garnet.Client;

/// <summary>A peer's bytes are not RESP, or beyond the limits; the connection is of no further use.</summary>
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
