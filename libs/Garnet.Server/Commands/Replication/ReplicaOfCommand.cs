// REPLICAOF <host port | NO ONE>
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Server.Configuration;
using Garnet.Server.Replication;

namespace Garnet.Server.Commands.Replication;

/// <summary>Makes the server a replica of another one, or a primary again.</summary>
internal sealed class ReplicaOfCommand(RoleChanges roles)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "REPLICAOF",
        Arity = 3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Stale | CommandFlags.NoAsyncLoading | CommandFlags.WholeKeyspace,
        Group = CommandGroup.Server,
        Since = "5.0.0",
        MakeHandler = static parts => new ReplicaOfCommand(parts.Get<RoleChanges>()).Execute,
    };

    /// <summary>Also executes SLAVEOF.</summary>
    public void Execute(ref CommandContext context)
    {
        if (roles.Failover.IsUnderWay)
        {
            context.Reply.WriteError("ERR REPLICAOF not allowed while failing over."u8);
            return;
        }

        if (context.Is(1, "NO"u8) && context.Is(2, "ONE"u8))
        {
            roles.Promote(context.Store);
            context.Reply.WriteOk();
            return;
        }

        string text = $"{ArgumentText.Printable(context[1])} {ArgumentText.Printable(context[2])}";
        if (!IntegerText.TryParse(context[2], out long wanted) || wanted is < 0 or > ushort.MaxValue)
            context.Reply.WriteError("ERR Invalid master port"u8);
        else if (!PrimaryAddress.TryParse(text, out string host, out int port))
            context.Reply.WriteError("ERR Invalid master host"u8);
        else if (context.Client.Output.Replica is { State: not ReplicaLinkState.None })
            context.Reply.WriteError("ERR Command is not valid when client is a replica."u8);
        else if (roles.Follow(context.Store, host, port))
            context.Reply.WriteOk();
        else
            context.Reply.WriteSimpleString("OK Already connected to specified master"u8);
    }
}
