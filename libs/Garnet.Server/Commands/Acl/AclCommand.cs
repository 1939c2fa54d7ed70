// ACL <subcommand> ...
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Acl;

/// <summary>The container of the ACL subcommands: those that tell about the default user, the only one there is.</summary>
internal static class AclCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ACL",
        Arity = -2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Server,
        Categories = AclCategories.Slow,
        Since = "6.0.0",
        Subcommands =
        [
            AclCatCommand.Descriptor,
            AclGenPassCommand.Descriptor,
            AclGetUserCommand.Descriptor,
            AclHelpCommand.Descriptor,
            AclListCommand.Descriptor,
            AclUsersCommand.Descriptor,
            AclWhoAmICommand.Descriptor,
        ],
    };
}
