// A predicate on a call. Called on the client's thread, before the command is executed.
namespace Garnet.Engine.Execution;

/// <summary>Examines a command's arguments; writes no reply.</summary>
internal delegate bool CommandCondition(in CommandContext context);
