// LASTSAVE
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Server;

/// <summary>Replies with the Unix time in seconds of the last successful snapshot; initially that of the server's start.</summary>
internal static class LastSaveCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LASTSAVE",
        Arity = 1,
        Flags = CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast,
        Group = CommandGroup.Server,
        Categories = AclCategories.Admin | AclCategories.Dangerous,
        Since = "1.0.0",
        Tips = ["nondeterministic_output"],
        Handler = static (ref CommandContext context) => context.Reply.WriteInteger(context.Server.Persistence.Snapshots.LastSaveSeconds),
    };
}
