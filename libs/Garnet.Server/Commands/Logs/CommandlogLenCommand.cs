// COMMANDLOG LEN type
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Logs;

/// <summary>Counts the entries of a log.</summary>
internal static class CommandlogLenCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LEN",
        Arity = 3,
        Flags = CommandFlags.Admin | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "8.1.0",
        Tips = ["request_policy:all_nodes", "response_policy:agg_sum", "nondeterministic_output"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (CommandlogType.Find(ref context, 2) is { } log)
            context.Reply.WriteInteger(log.Length);
    }
}
