// Counters that several servers change at the same time. One instance for each server; commands run on many threads.
using Garnet.Modules;

namespace Garnet.CrdtCounter;

/// <summary>
/// Each server counts for itself, under its own node number. Servers exchange states, in any order and as often as they like, and then
/// have the same value.
/// </summary>
[Module("crdt")]
public sealed class CrdtCounterModule : IModule
{
    private ModuleOption<long> _node = null!;
    private CommandToken? _merge;
    private IModuleHost _host = null!;

    public void Load(IModuleHost host)
    {
        _host = host;
        host.AddType(CounterType.Instance);
        _node = host.AddOption("crdt.node", 1, 0, long.MaxValue);
    }

    // The effect is this node's state, which a replica with another node number merges.
    [Command(
        "CRDT.ADD",
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Summary = "Adds to a counter; replies with its value."
    )]
    public void Add(ref ModuleContext context, [Key] ref CustomKey<CounterType> counter, long amount)
    {
        if (CounterType.Add(counter.Payload, (ulong)_node.Value, amount) is not { } entry)
        {
            context.Reply.WriteError("ERR the counter would overflow"u8);
            return;
        }

        Set(ref context, ref counter, entry);
        _merge ??= _host.FindCommand("CRDT.MERGE");
        context.Replicate(_merge, context[1], entry);
    }

    [Command("CRDT.MERGE", CommandFlags.Write | CommandFlags.DenyOom, Summary = "Merges the state of another server's counter.")]
    public static void Merge(ref ModuleContext context, [Key] ref CustomKey<CounterType> counter, ReadOnlySpan<byte> state)
    {
        if (CounterType.IsCounter(state))
            Set(ref context, ref counter, state);
        else
            context.Reply.WriteError("ERR the state is none of a counter"u8);
    }

    [Command("CRDT.VALUE", CommandFlags.ReadOnly | CommandFlags.Fast, Summary = "The value of a counter, 0 if there is none.")]
    public static void Value(ref ModuleContext context, [Key] ref CustomKey<CounterType> counter) =>
        context.Reply.WriteInteger(CounterType.ValueOf(counter.Payload));

    [Command("CRDT.STATE", CommandFlags.ReadOnly, Summary = "The state of a counter, for CRDT.MERGE on another server.")]
    public static void State(ref ModuleContext context, [Key] ref CustomKey<CounterType> counter) =>
        context.Reply.WriteBulk(counter.Payload);

    private static void Set(ref ModuleContext context, ref CustomKey<CounterType> counter, ReadOnlySpan<byte> state)
    {
        if (CounterType.Merge(counter.Payload, state) is not { } merged)
        {
            context.Reply.WriteError("ERR the counter has too many nodes"u8);
            return;
        }

        counter.Set(merged);
        context.Reply.WriteInteger(CounterType.ValueOf(merged));
    }
}
