// CLIENT LIST [filter ...]
using System.Text;
using Garnet.Server.CommandModel;
using Garnet.Server.Sessions;

namespace Garnet.Server.Commands.Connection;

/// <summary>Describes the connected clients, one line each.</summary>
internal static class ClientListCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LIST",
        Arity = -2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "2.4.0",
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (context.Count == 3)
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return;
        }

        ClientFilter filter = new();
        if (!filter.TryParse(ref context, 2))
            return;
        StringBuilder text = new();
        foreach (ClientSession client in filter.Select(context.Client))
            ClientLine.Append(text, client).Append('\n');

        context.Reply.WriteVerbatim("txt"u8, Encoding.Latin1.GetBytes(text.ToString()));
    }
}
