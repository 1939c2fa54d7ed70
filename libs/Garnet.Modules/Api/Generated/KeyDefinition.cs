// Where a key of a command is. Immutable.
using System.ComponentModel;

namespace Garnet.Modules;

/// <summary>A key of a command. Written by the generator; not for use in other code.</summary>
/// <param name="Position">Index of the argument; the command's name is 0.</param>
/// <param name="Access">How it is accessed.</param>
/// <param name="IsList">Whether all arguments that follow are keys as well.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly record struct KeyDefinition(int Position, KeyAccess Access, bool IsList = false);
