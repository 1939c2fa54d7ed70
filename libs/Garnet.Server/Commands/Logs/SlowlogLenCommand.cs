// SLOWLOG LEN
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Logs;

/// <summary>Counts the entries of the slow log.</summary>
internal static class SlowlogLenCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LEN",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "2.2.12",
        Tips = ["request_policy:all_nodes", "response_policy:agg_sum", "nondeterministic_output"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => context.Reply.WriteInteger(context.Server.CommandLogs.Slow.Length);
}
