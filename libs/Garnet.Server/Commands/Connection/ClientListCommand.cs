// CLIENT LIST [filter ...]
using System.Text;
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;
using Garnet.Server.Replication;
using Garnet.Server.Sessions;

namespace Garnet.Server.Commands.Connection;

/// <summary>Describes the connected clients, one line each.</summary>
internal sealed class ClientListCommand(
    ClientLine lines,
    ClientRegistry clients,
    ServerReplication replication,
    Users users,
    ServerClock clock
)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LIST",
        Arity = -2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "2.4.0",
        Tips = ["nondeterministic_output"],
        MakeHandler = static parts =>
            new ClientListCommand(
                parts.Get<ClientLine>(),
                parts.Get<ClientRegistry>(),
                parts.Get<ServerReplication>(),
                parts.Get<Users>(),
                parts.Get<ServerClock>()
            ).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (context.Count == 3)
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return;
        }

        ClientFilter filter = new(lines, clients, replication, users, clock);
        if (!filter.TryParse(ref context, 2))
            return;
        StringBuilder text = new();
        foreach (ClientSession client in filter.Select(context.Client))
            lines.Append(text, client).Append('\n');

        context.Reply.WriteVerbatim("txt"u8, Encoding.Latin1.GetBytes(text.ToString()));
    }
}
