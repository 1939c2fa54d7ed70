// CLIENT UNPAUSE
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Connection;

/// <summary>Lets paused clients go on.</summary>
internal static class ClientUnpauseCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "UNPAUSE",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Categories = AclCategories.Admin | AclCategories.Connection | AclCategories.Dangerous | AclCategories.Slow,
        Since = "6.2.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        context.Server.Pause.Lift();
        context.Reply.WriteOk();
    }
}
