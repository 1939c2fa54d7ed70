// What a call of a command that runs a script declares.
namespace Garnet.Server.CommandModel;

/// <summary>The flags of one call of a command, in place of the command's own.</summary>
internal delegate CommandFlags CommandFlagsOfCall(ref CommandContext context);
