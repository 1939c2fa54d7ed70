// Finds keys where specifications cannot say where they are.
namespace Garnet.Server.CommandModel;

/// <summary>
/// Adds the keys that the arguments of a call name, with indexes relative to its name; false when the arguments are wrong.
/// </summary>
/// <param name="context">Holds the call's arguments.</param>
/// <param name="offset">Context argument that is the call's name.</param>
/// <param name="keys">Receives the keys.</param>
public delegate bool KeyFinder(in CommandContext context, int offset, List<KeyPosition> keys);
