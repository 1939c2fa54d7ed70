// ACL USERS
using Garnet.Server.CommandModel;
using Garnet.Server.Commands.Connection;

namespace Garnet.Server.Commands.Acl;

/// <summary>Lists the users.</summary>
internal static class AclUsersCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "USERS",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        context.Reply.WriteArray(1);
        context.Reply.WriteBulk(DefaultUser.Name);
    }
}
