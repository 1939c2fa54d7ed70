// ACL ROLES
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;

namespace Garnet.Server.Commands.Acl;

/// <summary>Lists the roles.</summary>
internal sealed class AclRolesCommand(Users users)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ROLES",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "9.2.0",
        MakeHandler = static parts => new AclRolesCommand(parts.Get<Users>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        KeyValuePair<string, UserRules>[] roles = users.Roles.All;
        context.Reply.WriteArray(roles.Length);
        foreach ((string name, UserRules _) in roles)
            context.Reply.WriteBulk(name);
    }
}
