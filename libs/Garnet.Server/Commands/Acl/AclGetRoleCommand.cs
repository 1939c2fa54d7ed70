// ACL GETROLE rolename
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;

namespace Garnet.Server.Commands.Acl;

/// <summary>Describes a role, and names the users that have it.</summary>
internal sealed class AclGetRoleCommand(Users users)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GETROLE",
        Arity = 3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "9.2.0",
        MakeHandler = static parts => new AclGetRoleCommand(parts.Get<Users>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        string name = Encoding.Latin1.GetString(context[2]);
        if (users.Roles.Find(name) is not { } rules)
        {
            context.Reply.WriteNull();
            return;
        }

        context.Reply.WriteMap(6);
        AclGetUserCommand.WriteSelector(ref context, rules.Root);
        context.Reply.WriteBulk("selectors"u8);
        context.Reply.WriteArray(rules.Selectors.Count - 1);
        foreach (Selector selector in rules.Selectors.Skip(1))
        {
            context.Reply.WriteMap(4);
            AclGetUserCommand.WriteSelector(ref context, selector);
        }

        User[] holders = users.HoldersOf(name);
        context.Reply.WriteBulk("users"u8);
        context.Reply.WriteArray(holders.Length);
        foreach (User user in holders)
            ArgumentText.WriteBulk(ref context, user.Name);
    }
}
