// Thrown while a server starts.
namespace Garnet.Hosting;

/// <summary>An endpoint cannot be opened. The message is one line that names it.</summary>
public sealed class EndPointException(string message, Exception inner) : Exception(message, inner);
