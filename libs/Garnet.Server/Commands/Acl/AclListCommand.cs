// ACL LIST
using Garnet.Server.CommandModel;
using Garnet.Server.Commands.Connection;

namespace Garnet.Server.Commands.Acl;

/// <summary>Lists the users with their rules.</summary>
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
        string password = DefaultUser.PasswordDigest(context.Server) is { } digest ? "#" + digest : "nopass";
        context.Reply.WriteArray(1);
        context.Reply.WriteBulk($"user {DefaultUser.Name} on {password} ~* &* +@all");
    }
}
