// Bytes that are not RESP. Immutable; any thread.
namespace Garnet.Bench.Load;

/// <summary>What is wrong with a server's bytes, and what to do.</summary>
internal sealed class ReplyFormatException : Exception
{
    /// <summary>Creates an exception without a message of its own.</summary>
    public ReplyFormatException()
        : this("the reply is not RESP") { }

    /// <summary>Creates an exception with its line.</summary>
    public ReplyFormatException(string message)
        : base(message) { }

    /// <summary>Creates an exception with its line and its cause.</summary>
    public ReplyFormatException(string message, Exception? innerException)
        : base(message, innerException) { }
}
