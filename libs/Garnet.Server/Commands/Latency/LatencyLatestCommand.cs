// LATENCY LATEST
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Logs;

namespace Garnet.Server.Commands.Latency;

/// <summary>Replies with the latest sample of each event: time, latency, worst latency, sum and number of samples.</summary>
internal sealed class LatencyLatestCommand(CommandLogs logs)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LATEST",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "2.8.13",
        Tips = ["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
        MakeHandler = static parts => new LatencyLatestCommand(parts.Get<CommandLogs>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        (string Event, LatencySeries Series)[] all = logs.Latency.All;
        context.Reply.WriteArray(all.Length);
        foreach ((string name, LatencySeries series) in all)
        {
            context.Reply.WriteArray(6);
            context.Reply.WriteBulk(name);
            context.Reply.WriteInteger(series.Latest.UnixSeconds);
            context.Reply.WriteInteger(series.Latest.Milliseconds);
            context.Reply.WriteInteger(series.WorstMs);
            context.Reply.WriteInteger(series.TotalMs);
            context.Reply.WriteInteger(series.Count);
        }
    }
}
