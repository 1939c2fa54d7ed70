// LATENCY HISTORY event
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Logs;

namespace Garnet.Server.Commands.Latency;

/// <summary>Replies with the samples of an event, oldest first.</summary>
internal sealed class LatencyHistoryCommand(CommandLogs logs)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HISTORY",
        Arity = 3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "2.8.13",
        Tips = ["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
        MakeHandler = static parts => new LatencyHistoryCommand(parts.Get<CommandLogs>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        LatencySample[] samples = logs.Latency.Find(ArgumentText.Printable(context[2]))?.Samples ?? [];
        context.Reply.WriteArray(samples.Length);
        foreach (LatencySample sample in samples)
        {
            context.Reply.WriteArray(2);
            context.Reply.WriteInteger(sample.UnixSeconds);
            context.Reply.WriteInteger(sample.Milliseconds);
        }
    }
}
