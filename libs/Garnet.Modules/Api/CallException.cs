// The error of a command that a module called. Immutable.
namespace Garnet.Modules;

/// <summary>
/// A called command replied with an error. If the module's command does not catch it, the client gets the error as the reply.
/// </summary>
/// <param name="message">The error, its code first.</param>
public sealed class CallException(string message) : Exception(message);
