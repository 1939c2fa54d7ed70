// XGROUP subcommand [argument ...]
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Streams;

/// <summary>The container of the commands that make and change consumer groups.</summary>
internal static class XGroupCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "XGROUP",
        Arity = -2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Stream,
        Categories = AclCategories.Slow,
        Since = "5.0.0",
        Subcommands =
        [
            XGroupCreateCommand.Descriptor,
            XGroupCreateConsumerCommand.Descriptor,
            XGroupDelConsumerCommand.Descriptor,
            XGroupDestroyCommand.Descriptor,
            XGroupHelpCommand.Descriptor,
            XGroupSetIdCommand.Descriptor,
        ],
    };
}
