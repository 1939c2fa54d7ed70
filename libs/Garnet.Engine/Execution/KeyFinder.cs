// Finds keys where specifications cannot describe their positions.
using Garnet.Engine.Requests;

namespace Garnet.Engine.Execution;

/// <summary>Adds the keys among the arguments of a call, with indexes relative to its name; false when the arguments are invalid.</summary>
/// <param name="context">Holds the call's arguments.</param>
/// <param name="offset">Context argument with the call's name.</param>
/// <param name="keys">Receives the keys.</param>
internal delegate bool KeyFinder(in CommandContext context, int offset, List<KeyPosition> keys);
