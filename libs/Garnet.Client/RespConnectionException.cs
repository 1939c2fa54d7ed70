// A call that got no reply because of its connection. Immutable.
namespace Garnet.Client;

/// <summary>There was no connection, or it was lost before the reply came: then the command may have been carried out or not.</summary>
public sealed class RespConnectionException : IOException
{
    /// <summary>A lost connection.</summary>
    public RespConnectionException()
        : this("The connection was lost.") { }

    /// <summary>A lost connection, in words.</summary>
    public RespConnectionException(string message)
        : base(message) { }

    /// <summary>A lost connection, in words, and why.</summary>
    public RespConnectionException(string message, Exception? innerException)
        : base(message, innerException) { }
}
