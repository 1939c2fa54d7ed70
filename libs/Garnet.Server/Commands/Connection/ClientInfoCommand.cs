// CLIENT INFO
using System.Text;
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Connection;

/// <summary>Describes the connection in the format of CLIENT LIST.</summary>
internal static class ClientInfoCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "INFO",
        Arity = 2,
        Flags = CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "6.2.0",
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        StringBuilder text = new();
        ClientLine.Append(text, context.Client);
        context.Reply.WriteVerbatim("txt"u8, Encoding.Latin1.GetBytes(text.Append('\n').ToString()));
    }
}
