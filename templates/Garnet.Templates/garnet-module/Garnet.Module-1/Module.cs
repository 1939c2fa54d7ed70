// The module: one instance for each server. Commands run on many threads at once.
using Garnet.Modules;

namespace Garnet.Module_1;

/// <summary>Counters that do not exceed a limit.</summary>
[Module("garnet_module_1")]
public sealed class Garnet_Module_1Module : IModule
{
    private ModuleOption<long> _limit = null!;

    public void Load(IModuleHost host) => _limit = host.AddOption("garnet_module_1.limit", 1000, 1, long.MaxValue);

    [Command(
        "GARNET_MODULE_1.ADD",
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Summary = "Adds to a counter and replies with its value, or with null if it would exceed the limit."
    )]
    public void Add(ref ModuleContext context, [Key] ref StringKey counter, long amount, [Option("LIMIT")] long limit = 0)
    {
        if (!counter.TryGetInteger(out long value))
            context.Reply.WriteError("ERR the key does not hold an integer"u8);
        else if (amount < 0 || amount > (limit > 0 ? limit : _limit.Value) - value)
            context.Reply.WriteNull();
        else if (counter.TryIncrement(amount, out long sum))
            context.Reply.WriteInteger(sum);
        else
            context.Reply.WriteError("ERR the counter would overflow"u8);
    }
}
