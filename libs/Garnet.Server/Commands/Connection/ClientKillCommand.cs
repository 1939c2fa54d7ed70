// CLIENT KILL ip:port | filter value [filter value ...]
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;
using Garnet.Server.Replication;
using Garnet.Server.Sessions;

namespace Garnet.Server.Commands.Connection;

/// <summary>Closes the connections of the clients that match.</summary>
internal sealed class ClientKillCommand(
    ClientLine lines,
    ClientRegistry clients,
    ServerReplication replication,
    Users users,
    ServerClock clock
)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "KILL",
        Arity = -3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "2.4.0",
        MakeHandler = static parts =>
            new ClientKillCommand(
                parts.Get<ClientLine>(),
                parts.Get<ClientRegistry>(),
                parts.Get<ServerReplication>(),
                parts.Get<Users>(),
                parts.Get<ServerClock>()
            ).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        ClientFilter filter = new(lines, clients, replication, users, clock);
        if (context.Count == 3)
            filter.SelectAddress(ArgumentText.Printable(context[2]));
        else if (!filter.TryParse(ref context, 2, skipMe: true))
            return;
        int killed = 0;
        foreach (ClientSession client in filter.Select(context.Client))
        {
            killed++;
            if (client == context.Client)
                client.End.AfterReply = true;
            else if (client.Propagation.IsOfPrimary)
                replication.Primary?.Disconnect();
            else
                client.End.Force();
        }

        if (context.Count > 3)
            context.Reply.WriteInteger(killed);
        else if (killed > 0)
            context.Reply.WriteOk();
        else
            context.Reply.WriteError("ERR No such client"u8);
    }
}
