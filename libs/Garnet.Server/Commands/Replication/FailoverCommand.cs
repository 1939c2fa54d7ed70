// FAILOVER [TO host port [FORCE]] [ABORT] [TIMEOUT milliseconds]
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Replication;

namespace Garnet.Server.Commands.Replication;

/// <summary>Hands the role of the primary over to a replica, without losing a write.</summary>
internal sealed class FailoverCommand(ServerClock clock, ServerReplication replication, RoleChanges roles)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "FAILOVER",
        Arity = -1,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Stale | CommandFlags.WholeKeyspace,
        Group = CommandGroup.Server,
        Since = "6.2.0",
        MakeHandler = static parts =>
            new FailoverCommand(parts.Get<ServerClock>(), parts.Get<ServerReplication>(), parts.Get<RoleChanges>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        string host = "";
        long port = 0;
        long timeoutMs = 0;
        bool hasTimeout = false,
            isForced = false,
            isAbort = false;
        for (int i = 1; i < context.Count; i++)
        {
            if (!hasTimeout && i + 1 < context.Count && context.Is(i, "TIMEOUT"u8))
            {
                if (!context.TryGetInteger(++i, out timeoutMs))
                    return;
                if (timeoutMs <= 0)
                {
                    context.Reply.WriteError("ERR FAILOVER timeout must be greater than 0"u8);
                    return;
                }

                hasTimeout = true;
            }
            else if (!isAbort && context.Count == 2 && context.Is(i, "ABORT"u8))
            {
                isAbort = true;
            }
            else if (host.Length == 0 && i + 2 < context.Count && context.Is(i, "TO"u8))
            {
                host = ArgumentText.Printable(context[i + 1]);
                if (!context.TryGetInteger(i + 2, out port))
                    return;
                i += 2;
            }
            else if (!isForced && context.Is(i, "FORCE"u8))
            {
                isForced = true;
            }
            else
            {
                context.Reply.WriteError(ErrorText.Syntax);
                return;
            }
        }

        long deadlineMs = hasTimeout ? clock.SteadyMs + timeoutMs : long.MaxValue;
        if (isAbort)
            Abort(ref context);
        else
            Begin(ref context, new FailoverTarget(host, (int)port, isForced, deadlineMs));
    }

    private void Abort(ref CommandContext context)
    {
        if (roles.Failover.Abort(context.Store))
            context.Reply.WriteOk();
        else
            context.Reply.WriteError("ERR No failover in progress."u8);
    }

    private void Begin(ref CommandContext context, FailoverTarget target)
    {
        if (roles.Failover.IsUnderWay)
            context.Reply.WriteError("ERR FAILOVER already in progress."u8);
        else if (replication.IsReplica)
            context.Reply.WriteError("ERR FAILOVER is not valid when server is a replica."u8);
        else if (replication.Replicas.All.Length == 0)
            context.Reply.WriteError("ERR FAILOVER requires connected replicas."u8);
        else if (target.IsForced && (target.Host.Length == 0 || target.DeadlineMs == long.MaxValue))
            context.Reply.WriteError("ERR FAILOVER with force option requires both a timeout and target HOST and IP."u8);
        else if (target.Host.Length > 0 && Find(replication, target) is null)
            context.Reply.WriteError("ERR FAILOVER target HOST and PORT is not a replica."u8);
        else if (target.Host.Length > 0 && Find(replication, target) is { State: not ReplicaLinkState.Online })
            context.Reply.WriteError("ERR FAILOVER target replica is not online."u8);
        else if (roles.Failover.TryBegin(target))
            context.Reply.WriteOk();
        else
            context.Reply.WriteError("ERR FAILOVER already in progress."u8);
    }

    private ReplicaLink? Find(ServerReplication replication, FailoverTarget target) =>
        replication.Replicas.All.FirstOrDefault(target.Includes);
}
