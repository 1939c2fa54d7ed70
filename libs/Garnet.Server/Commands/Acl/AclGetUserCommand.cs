// ACL GETUSER username
using Garnet.Server.CommandModel;
using Garnet.Server.Commands.Connection;

namespace Garnet.Server.Commands.Acl;

/// <summary>Describes a user.</summary>
internal static class AclGetUserCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GETUSER",
        Arity = 3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!context[2].SequenceEqual("default"u8))
        {
            context.Reply.WriteNull();
            return;
        }

        string? digest = DefaultUser.PasswordDigest(context.Server);
        context.Reply.WriteMap(7);
        context.Reply.WriteBulk("flags"u8);
        context.Reply.WriteSet(digest is null ? 2 : 1);
        context.Reply.WriteBulk("on"u8);
        if (digest is null)
            context.Reply.WriteBulk("nopass"u8);
        context.Reply.WriteBulk("passwords"u8);
        context.Reply.WriteArray(digest is null ? 0 : 1);
        if (digest is not null)
            context.Reply.WriteBulk(digest);
        context.Reply.WriteBulk("commands"u8);
        context.Reply.WriteBulk("+@all"u8);
        context.Reply.WriteBulk("keys"u8);
        context.Reply.WriteBulk("~*"u8);
        context.Reply.WriteBulk("channels"u8);
        context.Reply.WriteBulk("&*"u8);
        context.Reply.WriteBulk("databases"u8);
        context.Reply.WriteBulk("alldbs"u8);
        context.Reply.WriteBulk("selectors"u8);
        context.Reply.WriteArray(0);
    }
}
