// COMMAND [subcommand ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Introspection;

/// <summary>Describes all commands; the container of the COMMAND subcommands.</summary>
internal sealed class CommandCommand(CommandTable commands)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "COMMAND",
        Arity = -1,
        Flags = CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Categories = AclCategories.Connection,
        Since = "2.8.13",
        Tips = ["nondeterministic_output_order"],
        Help = new(
            "5.0.0",
            [
                "(no subcommand)",
                "    Return details about all commands.",
                "COUNT",
                "    Return the total number of commands in this server.",
                "LIST",
                "    Return a list of all commands in this server.",
                "INFO [<command-name> ...]",
                "    Return details about multiple commands.",
                "    If no command names are given, documentation details for all",
                "    commands are returned.",
                "DOCS [<command-name> ...]",
                "    Return documentation details about multiple commands.",
                "    If no command names are given, documentation details for all",
                "    commands are returned.",
                "GETKEYS <full-command>",
                "    Return the keys from a full command.",
                "GETKEYSANDFLAGS <full-command>",
                "    Return the keys and the access flags from a full command.",
            ],
            AclCategories.Connection
        ),
        Subcommands =
        [
            CommandCountCommand.Descriptor,
            CommandDocsCommand.Descriptor,
            CommandGetKeysCommand.Descriptor,
            CommandGetKeysAndFlagsCommand.Descriptor,
            CommandInfoCommand.Descriptor,
            CommandListCommand.Descriptor,
        ],
        MakeHandler = static parts => new CommandCommand(parts.Get<CommandTable>()).Execute,
    };

    private void Execute(ref CommandContext context) => CommandInfoCommand.WriteAll(ref context, commands);
}
