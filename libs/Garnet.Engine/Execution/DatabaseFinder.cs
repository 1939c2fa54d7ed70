// Finds the databases that a call names. Stateless.
namespace Garnet.Engine.Execution;

/// <summary>
/// Adds the positions, relative to the command's name, of the arguments that are numbers of databases; none when the arguments are invalid.
/// </summary>
/// <param name="context">Holds the call's arguments.</param>
/// <param name="offset">Context argument with the call's name.</param>
/// <param name="databases">Receives the positions.</param>
internal delegate void DatabaseFinder(in CommandContext context, int offset, List<int> databases);
