// An error reply, as an exception. Immutable.
namespace Garnet;

/// <summary>A command replied with an error; the message is the reply's text, beginning with its code.</summary>
public sealed class GarnetCommandException : Exception
{
    /// <summary>Creates an exception with a general message.</summary>
    public GarnetCommandException()
        : this("ERR") { }

    /// <summary>Creates an exception with the reply's text.</summary>
    public GarnetCommandException(string message)
        : base(message) { }

    /// <summary>Creates an exception with the reply's text and its cause.</summary>
    public GarnetCommandException(string message, Exception innerException)
        : base(message, innerException) { }

    /// <summary>The first word of the reply: ERR, WRONGTYPE, OOM, LOADING, MISCONF, ...</summary>
    public string Code => Message.Split(' ', 2)[0];
}
