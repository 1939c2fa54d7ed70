// LATENCY HISTOGRAM [command [command ...]]
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Commands.Introspection;
using Garnet.Server.Statistics;

namespace Garnet.Server.Commands.Latency;

/// <summary>Replies with a cumulative histogram of latencies for each command, in buckets of powers of two.</summary>
internal sealed class LatencyHistogramCommand(CommandTable commands, ThreadScratchPool threads)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HISTOGRAM",
        Arity = -2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "7.0.0",
        Tips = ["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
        MakeHandler = static parts => new LatencyHistogramCommand(parts.Get<CommandTable>(), parts.Get<ThreadScratchPool>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        var found = new List<(Command Command, LatencyHistogram Histogram)>();
        LatencyHistogram?[] latencies = new CounterTotals(commands, threads).Latencies;
        if (context.Count == 2)
        {
            foreach (Command command in commands.Commands)
                Collect(command, latencies, found);
        }

        for (int i = 2; i < context.Count; i++)
        {
            if (CommandName.Find(commands, context[i]) is { } command)
                Collect(command, latencies, found);
        }

        context.Reply.WriteMap(found.Count);
        foreach ((Command command, LatencyHistogram histogram) in found)
            Write(ref context, command, histogram);
    }

    private static void Collect(Command command, LatencyHistogram?[] latencies, List<(Command Command, LatencyHistogram Histogram)> found)
    {
        if (latencies[command.Id] is { Calls: > 0 } histogram)
            found.Add((command, histogram));
        foreach (Command subcommand in command.Subcommands)
            Collect(subcommand, latencies, found);
    }

    private static void Write(ref CommandContext context, Command command, LatencyHistogram histogram)
    {
        List<(long Microseconds, long Calls)> doublings = histogram.Doublings();
        context.Reply.WriteBulk(command.FullNameBytes);
        context.Reply.WriteMap(2);
        context.Reply.WriteBulk("calls"u8);
        context.Reply.WriteInteger(histogram.Calls);
        context.Reply.WriteBulk("histogram_usec"u8);
        context.Reply.WriteMap(doublings.Count);
        foreach ((long microseconds, long calls) in doublings)
        {
            context.Reply.WriteInteger(microseconds);
            context.Reply.WriteInteger(calls);
        }
    }
}
