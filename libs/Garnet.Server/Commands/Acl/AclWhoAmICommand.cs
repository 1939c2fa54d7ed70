// ACL WHOAMI
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;

namespace Garnet.Server.Commands.Acl;

/// <summary>Replies with the user of the connection.</summary>
internal static class AclWhoAmICommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "WHOAMI",
        Arity = 2,
        Flags = CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (context.Client.Login.User is { } user)
            ArgumentText.WriteBulk(ref context, user.Name);
        else
            context.Reply.WriteNull();
    }
}
