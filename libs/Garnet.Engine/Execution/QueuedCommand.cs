// One entry of a transaction's queue. Immutable.

namespace Garnet.Engine.Execution;

/// <summary>A queued command and the position of its arguments in the transaction.</summary>
internal readonly record struct QueuedCommand(Command Command, int FirstArgument, int ArgumentCount);
