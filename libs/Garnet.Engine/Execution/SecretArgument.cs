// Which arguments of a command are secret. Stateless.
namespace Garnet.Engine.Execution;

/// <summary>True for an argument that may be a password and must not be logged or shown.</summary>
/// <param name="context">The call.</param>
/// <param name="argument">Index of the argument.</param>
internal delegate bool SecretArgument(ref CommandContext context, int argument);
