// LATENCY RESET [event [event ...]]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Logs;

namespace Garnet.Server.Commands.Latency;

/// <summary>Discards the samples of the given events or of all, and replies with the number of events that had samples.</summary>
internal sealed class LatencyResetCommand(CommandLogs logs)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "RESET",
        Arity = -2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "2.8.13",
        Traits = CommandTraits.ClearsLatencies,
        Tips = ["request_policy:all_nodes", "response_policy:agg_sum"],
        MakeHandler = static parts => new LatencyResetCommand(parts.Get<CommandLogs>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        LatencyMonitor latency = logs.Latency;
        if (context.Count == 2)
        {
            context.Reply.WriteInteger(latency.Reset());
            return;
        }

        int resets = 0;
        for (int i = 2; i < context.Count; i++)
            resets += latency.Reset(ArgumentText.Printable(context[i])) ? 1 : 0;
        context.Reply.WriteInteger(resets);
    }
}
