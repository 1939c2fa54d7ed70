// ACL USERS
using Garnet.Server.Acl;
using Garnet.Server.CommandModel;

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
        User[] users = context.Server.Users.All;
        context.Reply.WriteArray(users.Length);
        foreach (User user in users)
            ArgumentText.WriteBulk(ref context, user.Name);
    }
}
