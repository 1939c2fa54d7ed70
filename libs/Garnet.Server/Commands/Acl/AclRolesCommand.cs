// ACL ROLES
using Garnet.Server.Acl;
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Acl;

/// <summary>Lists the roles.</summary>
internal static class AclRolesCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ROLES",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "9.2.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        KeyValuePair<string, UserRules>[] roles = context.Server.Users.Roles.All;
        context.Reply.WriteArray(roles.Length);
        foreach ((string name, UserRules _) in roles)
            context.Reply.WriteBulk(name);
    }
}
