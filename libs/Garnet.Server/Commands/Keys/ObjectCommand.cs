// OBJECT subcommand [argument]
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Keys;

/// <summary>The container of the commands that look inside a key.</summary>
internal static class ObjectCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "OBJECT",
        Arity = -2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Slow,
        Since = "2.2.3",
        Subcommands =
        [
            ObjectEncodingCommand.Descriptor,
            ObjectFreqCommand.Descriptor,
            ObjectHelpCommand.Descriptor,
            ObjectIdleTimeCommand.Descriptor,
            ObjectRefCountCommand.Descriptor,
        ],
    };
}
