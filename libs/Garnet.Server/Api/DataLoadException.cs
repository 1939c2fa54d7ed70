// The data cannot be loaded. Immutable.
namespace Garnet;

/// <summary>
/// A server cannot start because its data, or part of it, would be missing; the message says which file, why, and what can be done.
/// </summary>
public sealed class DataLoadException : Exception
{
    internal DataLoadException(string message, Exception? innerException)
        : base(message, innerException) { }
}
