// An error reply, as an exception. Immutable.
namespace Garnet;

/// <summary>A command was answered with an error; the message is the reply's text, its code first.</summary>
public sealed class GarnetCommandException : Exception
{
    /// <summary>An error without a text.</summary>
    public GarnetCommandException()
        : this("ERR") { }

    /// <summary>An error with the reply's text.</summary>
    public GarnetCommandException(string message)
        : base(message) { }

    /// <summary>An error with the reply's text and what led to it.</summary>
    public GarnetCommandException(string message, Exception innerException)
        : base(message, innerException) { }

    /// <summary>The first word of the reply: ERR, WRONGTYPE, OOM, LOADING, MISCONF, ...</summary>
    public string Code => Message.Split(' ', 2)[0];
}
