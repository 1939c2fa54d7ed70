// An endpoint that cannot be opened. Immutable.
namespace Garnet;

/// <summary>A server cannot start because an endpoint cannot be opened. The message is one line that names it.</summary>
public sealed class EndPointException : Exception
{
    internal EndPointException(string message, Exception innerException)
        : base(message, innerException) { }
}
