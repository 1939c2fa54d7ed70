// WAITAOF numlocal numreplicas timeout
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Persistence.AppendLog;
using Garnet.Protocol;
using Garnet.Server.Persistence;
using Garnet.Server.Replication;

namespace Garnet.Server.Commands.Keys;

/// <summary>Waits until the append-only log of this server and of replicas holds the client's writes.</summary>
internal sealed class WaitAofCommand(ServerReplication replication, ServerPersistence persistence, ServerClock clock)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "WAITAOF",
        Arity = 4,
        Flags = CommandFlags.Blocking,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Connection,
        Since = "7.2.0",
        Tips = ["request_policy:all_shards", "response_policy:agg_min"],
        MakeHandler = static parts =>
            new WaitAofCommand(parts.Get<ServerReplication>(), parts.Get<ServerPersistence>(), parts.Get<ServerClock>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (
            !TryGetLocal(ref context, out long local)
            || !TryGetReplicas(ref context, out long replicas)
            || !ReplicaWait.TryGetTimeout(ref context, 3, out long timeoutMs)
        )
        {
            return;
        }

        if (replication.IsReplica)
        {
            context.Reply.WriteError(
                "ERR WAITAOF cannot be used with replica instances. Please also note that writes to replicas are just local and are not propagated."u8
            );
            return;
        }

        AppendOnlyLog? log = persistence.AppendOnly.Log;
        if (local > 0 && log is null)
        {
            context.Reply.WriteError(ReplicaWait.NoLog);
            return;
        }

        bool isDurable = log is { IsDurable: true };
        long position = context.Client.Propagation.LastWrite;
        int acknowledged = replication.Replicas.CountAcknowledged(position, isDurable: true);
        if ((acknowledged >= replicas && (local == 0 || isDurable)) || context.Client.Transactions.IsExecuting)
        {
            LogWait.Write(ref context.Reply, isDurable, acknowledged);
            return;
        }

        ReplicaWait wait = new(persistence, replication, clock, position, (int)replicas, timeoutMs, isDurable: true)
        {
            AwaitsLog = local > 0,
        };
        ReplicaWait.Begin(ref context, wait);
    }

    private static bool TryGetLocal(ref CommandContext context, out long local)
    {
        if (!context.TryGetInteger(1, out local))
            return false;
        if (local is 0 or 1)
            return true;
        context.Reply.WriteError("ERR value is out of range, value must between 0 and 1"u8);
        return false;
    }

    private static bool TryGetReplicas(ref CommandContext context, out long replicas)
    {
        if (IntegerText.TryParse(context[2], out replicas) && replicas >= 0)
        {
            replicas = ReplicaWait.Wanted(replicas);
            return true;
        }

        context.Reply.WriteError("ERR value is out of range, must be positive"u8);
        return false;
    }
}
