// SLOWLOG <subcommand> ...
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Logs;

/// <summary>The container of the SLOWLOG subcommands.</summary>
internal static class SlowlogCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SLOWLOG",
        Arity = -2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Server,
        Categories = AclCategories.Slow,
        Since = "2.2.12",
        Subcommands =
        [
            SlowlogGetCommand.Descriptor,
            SlowlogHelpCommand.Descriptor,
            SlowlogLenCommand.Descriptor,
            SlowlogResetCommand.Descriptor,
        ],
    };
}
