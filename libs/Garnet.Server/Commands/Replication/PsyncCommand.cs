// PSYNC replicationid offset [FAILOVER]
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Replication;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Commands.Replication;

/// <summary>Makes the client a replica, which continues at a position of the stream or receives all data.</summary>
internal sealed class PsyncCommand(ServerReplication replication, RoleChanges roles, ILogger log)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "PSYNC",
        Arity = -3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.NoAsyncLoading | CommandFlags.NoMulti,
        Group = CommandGroup.Server,
        Traits = CommandTraits.OfConnection,
        Since = "2.8.0",
        MakeHandler = static parts =>
            new PsyncCommand(parts.Get<ServerReplication>(), parts.Get<RoleChanges>(), parts.Get<ILogger>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        string id = ArgumentText.Printable(context[1]);
        if (context.Client.Output.Replica is { State: not ReplicaLinkState.None })
            return;
        if (context.Count > 3 && context.Is(3, "FAILOVER"u8) && !TryTakeOver(ref context, id))
            return;
        if (!MaySync(ref context, replication, roles) || !context.TryGetInteger(2, out long nextByte))
            return;
        ReplicaLink link = context.Client.Output.Replica ??= replication.NewLink(context.Client);
        link.Properties.Acknowledges = true;
        bool asksToContinue = !id.StartsWith('?');
        if (asksToContinue && replication.Effects.IsReplicating && replication.History.Includes(id, nextByte) && nextByte > 0)
        {
            context.Client.Output.Class = OutputClass.Replica;
            replication.Replicas.Add(link);
            if (replication.Replicas.UnderstandsAll(link, nextByte - 1) && link.TryContinue(nextByte - 1))
            {
                replication.Replicas.CountSync(isFull: false, wasRefused: false);
                // An effect may have been appended meanwhile.
                if (!replication.Replicas.UnderstandsAll(link, nextByte - 1))
                    context.Client.End.Force();
                return;
            }
        }

        if (asksToContinue)
        {
            log.LogInformation(
                "Replica {Address} asked for byte {Byte} of history {Id}, and gets all data: this is history {Own}, bytes {First} to {Last}",
                context.Client.Connection.RemoteAddress,
                nextByte,
                id,
                replication.History.Id,
                replication.Effects.Stream.FirstPosition + 1,
                replication.Effects.Stream.Position
            );
        }

        SyncAll(ref context, replication, link, wasRefused: asksToContinue);
    }

    /// <summary>Makes the client a replica that receives all data.</summary>
    public static void SyncAll(ref CommandContext context, ServerReplication replication, ReplicaLink link, bool wasRefused)
    {
        context.Client.Output.Class = OutputClass.Replica;
        replication.EnsureBacklog(context.Store);
        link.WaitForSnapshot();
        replication.Replicas.Add(link);
        replication.Replicas.CountSync(isFull: true, wasRefused);
    }

    /// <summary>Whether replicas are accepted now; writes the error and returns false when not.</summary>
    public static bool MaySync(ref CommandContext context, ServerReplication replication, RoleChanges roles)
    {
        if (roles.Failover.IsUnderWay)
            context.Reply.WriteError("NOMASTERLINK Can't SYNC while failing over"u8);
        else if (replication.Primary is { State: not PrimaryLinkState.Connected })
            context.Reply.WriteError("NOMASTERLINK Can't SYNC while not connected with my master"u8);
        else
            return true;
        return false;
    }

    private bool TryTakeOver(ref CommandContext context, string id)
    {
        if (!replication.IsReplica)
            context.Reply.WriteError("ERR PSYNC FAILOVER can't be sent to a master."u8);
        else if (!id.Equals(replication.History.Id, StringComparison.OrdinalIgnoreCase))
            context.Reply.WriteError("ERR PSYNC FAILOVER replid must match my replid."u8);
        else
            return roles.Promote(context.Store);
        return false;
    }
}
