// WAIT numreplicas timeout
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Persistence;
using Garnet.Server.Replication;

namespace Garnet.Server.Commands.Keys;

/// <summary>Waits until replicas have acknowledged the client's last write, and replies with their number.</summary>
internal sealed class WaitCommand(ServerReplication replication, ServerPersistence persistence, ServerClock clock)
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
        MakeHandler = static parts =>
            new WaitCommand(parts.Get<ServerReplication>(), parts.Get<ServerPersistence>(), parts.Get<ServerClock>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (replication.IsReplica)
        {
            context.Reply.WriteError(
                "ERR WAIT cannot be used with replica instances. Please also note that if a replica is configured to be writable (which is not the default) writes to replicas are just local and are not propagated."u8
            );
            return;
        }

        if (!context.TryGetInteger(1, out long replicas) || !ReplicaWait.TryGetTimeout(ref context, 2, out long timeoutMs))
            return;
        long position = context.Client.Propagation.LastWrite;
        int wanted = ReplicaWait.Wanted(replicas);
        int acknowledged = replication.Replicas.CountAcknowledged(position, isDurable: false);
        if (acknowledged >= wanted || context.Client.Transactions.IsExecuting)
        {
            context.Reply.WriteInteger(acknowledged);
            return;
        }

        ReplicaWait.Begin(ref context, new ReplicaWait(persistence, replication, clock, position, wanted, timeoutMs, isDurable: false));
    }
}
