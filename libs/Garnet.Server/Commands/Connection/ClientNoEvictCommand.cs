// CLIENT NO-EVICT ON|OFF
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Connection;

/// <summary>Exempts the connection from being closed when clients use too much memory.</summary>
internal static class ClientNoEvictCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "NO-EVICT",
        Arity = 3,
        Flags = CommandFlags.AllowBusy | CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "7.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        bool on = context.Is(2, "ON"u8);
        if (!on && !context.Is(2, "OFF"u8))
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return;
        }

        context.Client.Modes.NoEvict = on;
        context.Reply.WriteOk();
    }
}
