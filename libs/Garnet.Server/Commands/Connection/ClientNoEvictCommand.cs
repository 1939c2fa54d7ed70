// CLIENT NO-EVICT ON|OFF
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Connection;

/// <summary>Spares the connection when clients are disconnected to save memory.</summary>
internal static class ClientNoEvictCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "NO-EVICT",
        Arity = 3,
        Flags = CommandFlags.AllowBusy | CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Categories = AclCategories.Admin | AclCategories.Connection | AclCategories.Dangerous | AclCategories.Slow,
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

        context.Client.NoEvict = on;
        context.Reply.WriteOk();
    }
}
