// LASTSAVE
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Persistence;

namespace Garnet.Server.Commands.Server;

/// <summary>Replies with the Unix time in seconds of the last successful snapshot; initially that of the server's start.</summary>
internal sealed class LastSaveCommand(ServerPersistence persistence)
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
        MakeHandler = static parts => new LastSaveCommand(parts.Get<ServerPersistence>()).Execute,
    };

    private void Execute(ref CommandContext context) => context.Reply.WriteInteger(persistence.Snapshots.LastSaveSeconds);
}
