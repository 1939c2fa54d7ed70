// ACL LIST
using Garnet.Server.Acl;
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Acl;

/// <summary>Lists the roles and the users with their rules.</summary>
internal static class AclListCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LIST",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        User[] users = context.Server.Users.All;
        KeyValuePair<string, UserRules>[] roles = context.Server.Users.Roles.All;
        context.Reply.WriteArray(roles.Length + users.Length);
        foreach ((string name, UserRules rules) in roles)
            ArgumentText.WriteBulk(ref context, $"role {name} {rules.DescribeRole()}");
        foreach (User user in users)
            ArgumentText.WriteBulk(ref context, $"user {user.Name} {user.Rules}");
    }
}
