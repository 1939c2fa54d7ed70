// COMMAND [subcommand ...]
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Introspection;

/// <summary>Describes all commands; the container of the COMMAND subcommands.</summary>
internal static class CommandCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "COMMAND",
        Arity = -1,
        Flags = CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Categories = AclCategories.Connection | AclCategories.Slow,
        Since = "2.8.13",
        Tips = ["nondeterministic_output_order"],
        Subcommands =
        [
            CommandCountCommand.Descriptor,
            CommandDocsCommand.Descriptor,
            CommandGetKeysCommand.Descriptor,
            CommandGetKeysAndFlagsCommand.Descriptor,
            CommandHelpCommand.Descriptor,
            CommandInfoCommand.Descriptor,
            CommandListCommand.Descriptor,
        ],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => CommandInfoCommand.WriteAll(ref context);
}
