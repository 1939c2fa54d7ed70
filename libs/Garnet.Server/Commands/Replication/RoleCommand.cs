// ROLE
using System.Globalization;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Server.Replication;

namespace Garnet.Server.Commands.Replication;

/// <summary>Replies with the role: a primary with its replicas, or a replica with its primary.</summary>
internal sealed class RoleCommand(ServerReplication replication)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ROLE",
        Arity = 1,
        Flags = CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast,
        Group = CommandGroup.Server,
        Categories = AclCategories.Admin | AclCategories.Dangerous,
        Since = "2.8.12",
        MakeHandler = static parts => new RoleCommand(parts.Get<ServerReplication>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        ref RespWriter reply = ref context.Reply;
        if (replication.Primary is { } primary)
        {
            reply.WriteArray(5);
            reply.WriteBulk("slave"u8);
            reply.WriteBulk(primary.Host);
            reply.WriteInteger(primary.Port);
            reply.WriteBulk(primary.State.ToString().ToLowerInvariant());
            reply.WriteInteger(replication.Effects.IsReplicating ? replication.Effects.Stream.Position : -1);
            return;
        }

        ReplicaLink[] replicas = [.. replication.Replicas.All.Where(static link => link.State == ReplicaLinkState.Online)];
        reply.WriteArray(3);
        reply.WriteBulk("master"u8);
        reply.WriteInteger(replication.Effects.Stream.Position);
        reply.WriteArray(replicas.Length);
        foreach (ReplicaLink link in replicas)
        {
            reply.WriteArray(3);
            reply.WriteBulk(link.Address);
            reply.WriteBulk(link.Properties.Port.ToString(CultureInfo.InvariantCulture));
            reply.WriteBulk(link.Acknowledged.ToString(CultureInfo.InvariantCulture));
        }
    }
}
