// A call that got no reply because of its connection. Immutable.
namespace Garnet.Client;

/// <summary>
/// There was no connection, or it was lost before the reply arrived. In the second case the server may or may not have executed the
/// command.
/// </summary>
public sealed class RespConnectionException : IOException
{
    /// <summary>Creates an exception with a general message.</summary>
    public RespConnectionException()
        : this("The connection was lost.") { }

    /// <summary>Creates an exception with a message.</summary>
    public RespConnectionException(string message)
        : base(message) { }

    /// <summary>Creates an exception with a message and its cause.</summary>
    public RespConnectionException(string message, Exception? innerException)
        : base(message, innerException) { }
}
