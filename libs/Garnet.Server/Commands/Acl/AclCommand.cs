// ACL <subcommand> ...
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Acl;

/// <summary>The container of the ACL subcommands: users, their passwords and what they may do.</summary>
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
                "DELROLE <rolename> [<rolename> ...]",
                "    Delete a list of roles, none of which a user may have.",
                "DELUSER <username> [<username> ...]",
                "    Delete a list of users.",
                "DRYRUN <username> <command> [<arg> ...]",
                "    Returns whether the user can execute the given command without executing the command.",
                "GETROLE <rolename>",
                "    Get the role's details.",
                "GETUSER <username>",
                "    Get the user's details.",
                "GENPASS [<bits>]",
                "    Generate a secure 256-bit user password. The optional `bits` argument can",
                "    be used to specify a different size.",
                "LIST",
                "    Show users details in config file format.",
                "LOAD",
                "    Reload users from the ACL file.",
                "LOG [<count> | RESET]",
                "    Show the ACL log entries.",
                "ROLES",
                "    List all the names of roles.",
                "SAVE",
                "    Save the current config to the ACL file.",
                "SETROLE <rolename> <rule> [<rule> ...]",
                "    Create or modify a role with the specified rules.",
                "SETUSER <username> <rule> [<rule> ...]",
                "    Create or modify a user with the specified rules.",
                "USERS",
                "    List all the registered usernames.",
                "WHOAMI",
                "    Return the current connection username.",
            ]
        ),
        Subcommands =
        [
            AclCatCommand.Descriptor,
            AclDelRoleCommand.Descriptor,
            AclDelUserCommand.Descriptor,
            AclDryRunCommand.Descriptor,
            AclGenPassCommand.Descriptor,
            AclGetRoleCommand.Descriptor,
            AclGetUserCommand.Descriptor,
            AclListCommand.Descriptor,
            AclLoadCommand.Descriptor,
            AclLogCommand.Descriptor,
            AclRolesCommand.Descriptor,
            AclSaveCommand.Descriptor,
            AclSetRoleCommand.Descriptor,
            AclSetUserCommand.Descriptor,
            AclUsersCommand.Descriptor,
            AclWhoAmICommand.Descriptor,
        ],
    };
}
