// An argument of a command as COMMAND DOCS shows it. Immutable.
using System.ComponentModel;

namespace Garnet.Modules;

/// <summary>An argument of a command. Written by the generator; not for use in other code.</summary>
/// <param name="Name">The parameter's name.</param>
/// <param name="Kind">As in COMMAND DOCS: key, string, integer, double or pure-token.</param>
/// <param name="Keyword">The keyword of an option; null for a required argument.</param>
/// <param name="IsList">Whether there may be several.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly record struct ArgumentDefinition(string Name, string Kind, string? Keyword = null, bool IsList = false);
