// Why a measurement cannot begin or go on. Immutable; any thread.
namespace Garnet.Bench;

/// <summary>Ends the measurement; the message is one line that says what to do.</summary>
internal sealed class BenchException : Exception
{
    /// <summary>Creates an exception without a message of its own.</summary>
    public BenchException()
        : this("the measurement failed") { }

    /// <summary>Creates an exception with its line.</summary>
    public BenchException(string message)
        : base(message) { }

    /// <summary>Creates an exception with its line and its cause.</summary>
    public BenchException(string message, Exception? innerException)
        : base(message, innerException) { }
}
