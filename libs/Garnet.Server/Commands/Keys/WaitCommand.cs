// WAIT numreplicas timeout
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Keys;

/// <summary>Waits until replicas have acknowledged the client's writes. There are no replicas, so the wait ends with its timeout.</summary>
internal static class WaitCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "WAIT",
        Arity = 3,
        Flags = CommandFlags.Blocking,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Connection,
        Since = "3.0.0",
        Tips = ["request_policy:all_shards", "response_policy:agg_min"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!context.TryGetInteger(1, out long replicas) || !ReplicaWait.TryGetTimeout(ref context, 2, out long timeoutMs))
            return;
        if (ReplicaWait.Wanted(replicas) == 0 || context.Client.Transactions.IsExecuting)
            context.Reply.WriteInteger(0);
        else
            context.Suspend(new ReplicaWait(context.Server.Clock.Time, timeoutMs, local: null));
    }
}
