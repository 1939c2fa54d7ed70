// The documentation of a command of a module. Immutable.
namespace Garnet.Server.CommandModel;

/// <summary>One sentence, and the arguments in their order.</summary>
internal sealed record CommandSyntax(string? Summary, CommandArgument[] Arguments);
