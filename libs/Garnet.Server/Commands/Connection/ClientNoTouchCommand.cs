// CLIENT NO-TOUCH ON|OFF
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Connection;

/// <summary>Makes the connection's reads leave the access statistics of keys unchanged.</summary>
internal static class ClientNoTouchCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "NO-TOUCH",
        Arity = 3,
        Flags = CommandFlags.AllowBusy | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "7.2.0",
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

        context.Store.Accesses.Touches = !on;
        context.Reply.WriteOk();
    }
}
