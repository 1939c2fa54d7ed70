// SLOWLOG <subcommand> ...
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

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
        Since = "2.2.12",
        Help = new(
            "6.2.0",
            [
                "GET [<count>]",
                "    Return top <count> entries from the slowlog (default: 10, -1 mean all).",
                "    Entries are made of:",
                "    id, timestamp, time in microseconds, arguments array, client IP and port,",
                "    client name",
                "LEN",
                "    Return the length of the slowlog.",
                "RESET",
                "    Reset the slowlog.",
            ]
        ),
        Subcommands = [SlowlogGetCommand.Descriptor, SlowlogLenCommand.Descriptor, SlowlogResetCommand.Descriptor],
    };
}
