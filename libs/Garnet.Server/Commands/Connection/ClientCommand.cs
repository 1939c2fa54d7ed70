// CLIENT <subcommand> ...
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Connection;

/// <summary>The container of the CLIENT subcommands.</summary>
internal static class ClientCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "CLIENT",
        Arity = -2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Connection,
        Categories = AclCategories.Slow,
        Since = "2.4.0",
        Subcommands =
        [
            ClientCapaCommand.Descriptor,
            ClientGetNameCommand.Descriptor,
            ClientGetRedirCommand.Descriptor,
            ClientHelpCommand.Descriptor,
            ClientIdCommand.Descriptor,
            ClientImportSourceCommand.Descriptor,
            ClientInfoCommand.Descriptor,
            ClientKillCommand.Descriptor,
            ClientListCommand.Descriptor,
            ClientNoEvictCommand.Descriptor,
            ClientNoTouchCommand.Descriptor,
            ClientPauseCommand.Descriptor,
            ClientReplyCommand.Descriptor,
            ClientSetInfoCommand.Descriptor,
            ClientSetNameCommand.Descriptor,
            ClientTrackingInfoCommand.Descriptor,
            ClientUnblockCommand.Descriptor,
            ClientUnpauseCommand.Descriptor,
        ],
    };
}
