// CLIENT INFO
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Sessions;

namespace Garnet.Server.Commands.Connection;

/// <summary>Describes the connection in the format of CLIENT LIST.</summary>
internal sealed class ClientInfoCommand(ClientLine lines)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "INFO",
        Arity = 2,
        Flags = CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "6.2.0",
        Tips = ["nondeterministic_output"],
        MakeHandler = static parts => new ClientInfoCommand(parts.Get<ClientLine>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        StringBuilder text = new();
        lines.Append(text, context.Client);
        context.Reply.WriteVerbatim("txt"u8, Encoding.Latin1.GetBytes(text.Append('\n').ToString()));
    }
}
