// SLAVEOF <host port | NO ONE>
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Replication;

/// <summary>The older name of REPLICAOF, which Sentinel uses.</summary>
internal static class SlaveOfCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SLAVEOF",
        Arity = 3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Stale | CommandFlags.NoAsyncLoading | CommandFlags.WholeKeyspace,
        Group = CommandGroup.Server,
        Since = "1.0.0",
        MakeHandler = ReplicaOfCommand.Descriptor.MakeHandler,
    };
}
