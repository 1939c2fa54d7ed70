// ACL <subcommand> ...
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Acl;

/// <summary>The container of the ACL subcommands: those that describe the default user, the only user.</summary>
internal static class AclCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ACL",
        Arity = -2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Help = new(
            "6.0.0",
            [
                "CAT [<category>]",
                "    List all commands that belong to <category>, or all command categories",
                "    when no category is specified.",
                "GETUSER <username>",
                "    Get the user's details.",
                "GENPASS [<bits>]",
                "    Generate a secure 256-bit user password. The optional `bits` argument can",
                "    be used to specify a different size.",
                "LIST",
                "    Show users details in config file format.",
                "USERS",
                "    List all the registered usernames.",
                "WHOAMI",
                "    Return the current connection username.",
            ]
        ),
        Subcommands =
        [
            AclCatCommand.Descriptor,
            AclGenPassCommand.Descriptor,
            AclGetUserCommand.Descriptor,
            AclListCommand.Descriptor,
            AclUsersCommand.Descriptor,
            AclWhoAmICommand.Descriptor,
        ],
    };
}
