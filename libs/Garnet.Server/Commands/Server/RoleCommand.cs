// ROLE
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Server;

/// <summary>Replies with the replication role: a primary without replicas.</summary>
internal static class RoleCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ROLE",
        Arity = 1,
        Flags = CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast,
        Group = CommandGroup.Server,
        Categories = AclCategories.Admin | AclCategories.Dangerous,
        Since = "2.8.12",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        context.Reply.WriteArray(3);
        context.Reply.WriteBulk("master"u8);
        context.Reply.WriteInteger(0);
        context.Reply.WriteArray(0);
    }
}
