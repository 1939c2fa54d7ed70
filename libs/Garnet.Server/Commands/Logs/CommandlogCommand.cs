// COMMANDLOG <subcommand> ...
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

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
        Since = "8.1.0",
        Help = new(
            "8.1.0",
            [
                "GET <count> <type>",
                "    Return top <count> entries of the specified <type> from the commandlog (-1 mean all).",
                "    Entries are made of:",
                "    id, timestamp,",
                "        time in microseconds for type of slow,",
                "        or size in bytes for type of large-request,",
                "        or size in bytes for type of large-reply",
                "    arguments array, client IP and port,",
                "    client name",
                "LEN <type>",
                "    Return the length of the specified type of commandlog.",
                "RESET <type>",
                "    Reset the specified type of commandlog.",
            ]
        ),
        Subcommands = [CommandlogGetCommand.Descriptor, CommandlogLenCommand.Descriptor, CommandlogResetCommand.Descriptor],
    };
}
