// ACL DELUSER username [username ...]
using System.Text;
using Garnet.Server.Acl;
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Acl;

/// <summary>Deletes users and closes their connections.</summary>
internal static class AclDelUserCommand
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
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
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
            if (context.Server.Users.Delete(Encoding.Latin1.GetString(context[i])) is not { } user)
                continue;
            deleted++;
            context.Server.Clients.EndThoseOf(user, context.Client);
        }

        context.Reply.WriteInteger(deleted);
    }
}
