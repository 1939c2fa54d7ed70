// The module that benchmark/modules.py measures. One instance for each server; commands run on many threads.
using Garnet.Modules;

namespace Garnet.ReplicatingModule;

/// <summary>
/// Commands that do what INCR, HGET and HINCRBY do. Those that increment replicate INCR in each of the ways there are; with the argument
/// "skip" the whole module skips the validation of names.
/// </summary>
[Module("replicating")]
public sealed class ReplicatingModule : IModule
{
    private CommandToken _increment = null!;

    public void Load(IModuleHost host)
    {
        _increment = host.FindCommand("INCR");
        host.SkipCommandValidation = host.Arguments.Contains("skip");
    }

    [Command("REP.TOKEN", CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast)]
    public void ByToken(ref ModuleContext context, [Key] ref StringKey key)
    {
        if (!TryIncrement(ref context, ref key))
            return;
        context.Replicate(_increment, context[1]);
    }

    [Command("REP.NAME", CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast)]
    public static void ByName(ref ModuleContext context, [Key] ref StringKey key)
    {
        if (TryIncrement(ref context, ref key))
            context.ReplicateWithFlags(ReplicateFlags.None, "INCR"u8, context[1]);
    }

    [Command("REP.SKIP", CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast)]
    public static void ByNameUnchecked(ref ModuleContext context, [Key] ref StringKey key)
    {
        if (TryIncrement(ref context, ref key))
            context.ReplicateWithFlags(ReplicateFlags.SkipValidation, "INCR"u8, context[1]);
    }

    [Command("REP.HGET", CommandFlags.ReadOnly | CommandFlags.Fast)]
    public static void Get(ref ModuleContext context, [Key] ReadOnlyHash hash, ReadOnlySpan<byte> field) =>
        context.Reply.WriteField(hash, field);

    [Command("REP.HINCRBY", CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast)]
    public static void Add(ref ModuleContext context, [Key] ref HashKey hash, ReadOnlySpan<byte> field, long by)
    {
        if (hash.TryIncrement(field, by, out long sum))
            context.Reply.WriteInteger(sum);
        else
            context.Reply.WriteError("ERR hash value is not an integer"u8);
    }

    private static bool TryIncrement(ref ModuleContext context, ref StringKey key)
    {
        if (!key.TryIncrement(1, out long sum))
        {
            context.Reply.WriteError("ERR value is not an integer or out of range"u8);
            return false;
        }

        context.Reply.WriteInteger(sum);
        return true;
    }
}
