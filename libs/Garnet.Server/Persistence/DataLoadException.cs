// The data cannot be loaded. Immutable.
namespace Garnet.Server.Persistence;

/// <summary>
/// A server cannot start because its data, or part of it, would be missing; the message says which file, why, and what can be done.
/// </summary>
public sealed class DataLoadException(string message, Exception cause) : Exception(message, cause);
