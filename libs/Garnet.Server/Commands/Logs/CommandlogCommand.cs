// COMMANDLOG <subcommand> ...
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Logs;

/// <summary>The container of the COMMANDLOG subcommands.</summary>
internal static class CommandlogCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "COMMANDLOG",
        Arity = -2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Server,
        Categories = AclCategories.Slow,
        Since = "8.1.0",
        Subcommands =
        [
            CommandlogGetCommand.Descriptor,
            CommandlogHelpCommand.Descriptor,
            CommandlogLenCommand.Descriptor,
            CommandlogResetCommand.Descriptor,
        ],
    };
}
