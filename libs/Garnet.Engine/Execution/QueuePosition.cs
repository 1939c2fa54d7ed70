// The position of a blocked command in the queue of one of its keys. Immutable.
namespace Garnet.Engine.Execution;

/// <summary>A queue and the command's node in it.</summary>
internal readonly record struct QueuePosition(KeyQueue Queue, LinkedListNode<BlockedCommand> Node);
