// CLIENT REPLY ON|OFF|SKIP
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Connection;

/// <summary>Turns replies on or off, or skips the next one.</summary>
internal static class ClientReplyCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "REPLY",
        Arity = 3,
        Flags = CommandFlags.AllowBusy | CommandFlags.NoScript | CommandFlags.NoMulti | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "3.2.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        ClientSession client = context.Client;
        if (context.Is(2, "ON"u8))
        {
            client.Modes.Reply = ReplyMode.On;
            context.Reply.Suppressed = false;
            context.Reply.WriteOk();
        }
        else if (context.Is(2, "OFF"u8))
        {
            client.Modes.Reply = ReplyMode.Off;
        }
        else if (context.Is(2, "SKIP"u8))
        {
            if (client.Modes.Reply != ReplyMode.Off)
                client.Modes.Reply = ReplyMode.SkipNext;
        }
        else
        {
            context.Reply.WriteError(ErrorText.Syntax);
        }
    }
}
