// ACL LIST
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;

namespace Garnet.Server.Commands.Acl;

/// <summary>Lists the roles and the users with their rules.</summary>
internal sealed class AclListCommand(Users users)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LIST",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "6.0.0",
        MakeHandler = static parts => new AclListCommand(parts.Get<Users>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        User[] all = users.All;
        KeyValuePair<string, UserRules>[] roles = users.Roles.All;
        context.Reply.WriteArray(roles.Length + all.Length);
        foreach ((string name, UserRules rules) in roles)
            ArgumentText.WriteBulk(ref context, $"role {name} {rules.DescribeRole()}");
        foreach (User user in all)
            ArgumentText.WriteBulk(ref context, $"user {user.Name} {user.Rules}");
    }
}
