// SLOWLOG RESET
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Logs;

/// <summary>Empties the slow log.</summary>
internal static class SlowlogResetCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "RESET",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "2.2.12",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        context.Server.CommandLogs.Slow.Clear();
        context.Reply.WriteOk();
    }
}
