// ACL DELUSER username [username ...]
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;

namespace Garnet.Server.Commands.Acl;

/// <summary>Deletes users and closes their connections.</summary>
internal sealed class AclDelUserCommand(Users users, ClientRegistry clients)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "DELUSER",
        Arity = -3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        IsSecret = static (ref CommandContext _, int argument) => argument >= 2,
        MakeHandler = static parts => new AclDelUserCommand(parts.Get<Users>(), parts.Get<ClientRegistry>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        for (int i = 2; i < context.Count; i++)
        {
            if (!ArgumentText.UpToZero(context[i]).SequenceEqual("default"u8))
                continue;
            context.Reply.WriteError("ERR The 'default' user cannot be removed"u8);
            return;
        }

        int deleted = 0;
        for (int i = 2; i < context.Count; i++)
        {
            if (users.Delete(Encoding.Latin1.GetString(context[i])) is not { } user)
                continue;
            deleted++;
            clients.EndThoseOf(user, context.Client);
        }

        context.Reply.WriteInteger(deleted);
    }
}
