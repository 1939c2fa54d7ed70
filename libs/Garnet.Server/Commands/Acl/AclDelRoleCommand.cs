// ACL DELROLE rolename [rolename ...]
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;

namespace Garnet.Server.Commands.Acl;

/// <summary>Deletes roles, unless a user has one of them.</summary>
internal sealed class AclDelRoleCommand(Users users)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "DELROLE",
        Arity = -3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "9.2.0",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        MakeHandler = static parts => new AclDelRoleCommand(parts.Get<Users>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        List<string> names = [];
        for (int i = 2; i < context.Count; i++)
            names.Add(Encoding.Latin1.GetString(context[i]));
        if (users.DeleteRoles(names, out int deleted) is { } held)
            ArgumentText.WriteError(ref context, $"ERR Role '{held}' is assigned to one or more users. Remove it from them first.");
        else
            context.Reply.WriteInteger(deleted);
    }
}
