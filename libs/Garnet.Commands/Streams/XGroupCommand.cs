// XGROUP subcommand [argument ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Streams;

/// <summary>The container of the XGROUP subcommands, which manage consumer groups.</summary>
internal static class XGroupCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "XGROUP",
        Arity = -2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Help = new(
            "5.0.0",
            [
                "CREATE <key> <groupname> <id|$> [option]",
                "    Create a new consumer group. Options are:",
                "    * MKSTREAM",
                "      Create the empty stream if it does not exist.",
                "    * ENTRIESREAD entries_read",
                "      Set the group's entries_read counter (internal use).",
                "CREATECONSUMER <key> <groupname> <consumer>",
                "    Create a new consumer in the specified group.",
                "DELCONSUMER <key> <groupname> <consumer>",
                "    Remove the specified consumer.",
                "DESTROY <key> <groupname>",
                "    Remove the specified group.",
                "SETID <key> <groupname> <id|$> [ENTRIESREAD entries_read]",
                "    Set the current group ID and entries_read counter.",
            ]
        ),
        Subcommands =
        [
            XGroupCreateCommand.Descriptor,
            XGroupCreateConsumerCommand.Descriptor,
            XGroupDelConsumerCommand.Descriptor,
            XGroupDestroyCommand.Descriptor,
            XGroupSetIdCommand.Descriptor,
        ],
    };
}
