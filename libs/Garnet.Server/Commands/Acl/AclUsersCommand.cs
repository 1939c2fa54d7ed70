// ACL USERS
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;

namespace Garnet.Server.Commands.Acl;

/// <summary>Lists the users.</summary>
internal sealed class AclUsersCommand(Users users)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "USERS",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "6.0.0",
        MakeHandler = static parts => new AclUsersCommand(parts.Get<Users>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        User[] all = users.All;
        context.Reply.WriteArray(all.Length);
        foreach (User user in all)
            ArgumentText.WriteBulk(ref context, user.Name);
    }
}
