// Something that is true of a call or not. Called on the client's thread, before the command is executed.
namespace Garnet.Server.CommandModel;

/// <summary>Looks at a command's arguments; writes no reply.</summary>
public delegate bool CommandCondition(in CommandContext context);
