// An argument in the documentation of a command of a module. Immutable.
namespace Garnet.Engine.Requests;

/// <summary>An argument.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Kind">Its type as COMMAND DOCS shows it.</param>
/// <param name="Keyword">The keyword before it, or that it is; null when it is required.</param>
/// <param name="IsList">Whether there may be several.</param>
internal sealed record CommandArgument(string Name, string Kind, string? Keyword, bool IsList);
