// The documentation of a command of a module. Immutable.
namespace Garnet.Engine.Requests;

/// <summary>One sentence, and the arguments in their order.</summary>
internal sealed record CommandSyntax(string? Summary, CommandArgument[] Arguments);
