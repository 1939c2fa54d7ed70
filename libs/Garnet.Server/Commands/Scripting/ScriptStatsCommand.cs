// SCRIPT STATS [RESET | count]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>
/// Tells which scripts and functions took the most time since they were compiled or the figures were reset. A call that ends while they are
/// reset may be counted in part.
/// </summary>
internal sealed class ScriptStatsCommand(ServerScripts scripts)
{
    private const int DefaultCount = 10;
    private const int MicrosecondsDigits = 3;

    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "STATS",
        Arity = -2,
        Flags = CommandFlags.NoScript | CommandFlags.Stale,
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Traits = CommandTraits.TakesLongArguments,
        Since = "9.1.0",
        Tips = ["nondeterministic_output"],
        MakeHandler = static parts => new ScriptStatsCommand(parts.Get<ServerScripts>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (context.Count == 3 && context.Is(2, "RESET"u8))
        {
            foreach (RunnableScript script in All(scripts))
                script.Usage.Reset();
            context.Reply.WriteOk();
            return;
        }

        long count = DefaultCount;
        if (context.Count > 3)
            context.Reply.WriteError(ErrorText.Syntax);
        else if (context.Count < 3 || context.TryGetInteger(2, out count))
            Write(ref context, count);
    }

    private void Write(ref CommandContext context, long count)
    {
        RunnableScript[] slowest =
        [
            .. All(scripts)
                .Where(static script => script.Usage.Calls > 0)
                .OrderByDescending(static script => script.Usage.Total)
                .Take((int)Math.Clamp(count, 0, int.MaxValue)),
        ];
        context.Reply.WriteArray(slowest.Length);
        foreach (RunnableScript script in slowest)
            Write(ref context, script);
    }

    private void Write(ref CommandContext context, RunnableScript script)
    {
        ScriptUsage usage = script.Usage;
        context.Reply.WriteMap(9);
        context.Reply.WriteBulk("name"u8);
        ArgumentText.WriteBulk(ref context, script.Name);
        context.Reply.WriteBulk("type"u8);
        context.Reply.WriteBulk(script is Script ? "script"u8 : "function"u8);
        WriteField(ref context, "calls"u8, usage.Calls);
        WriteField(ref context, "usec"u8, (long)usage.Total.TotalMicroseconds);
        context.Reply.WriteBulk("usec_per_call"u8);
        context.Reply.WriteDouble(Math.Round(usage.Total.TotalMicroseconds / Math.Max(1, usage.Calls), MicrosecondsDigits));
        WriteField(ref context, "longest_usec"u8, (long)usage.Longest.TotalMicroseconds);
        WriteField(ref context, "instructions"u8, usage.Instructions);
        WriteField(ref context, "allocated_bytes"u8, usage.Bytes);
        context.Reply.WriteBulk("keys"u8);
        context.Reply.WriteBulk(script.KeyUse == KeyUse.Declared ? "declared"u8 : "any"u8);
    }

    private static void WriteField(ref CommandContext context, ReadOnlySpan<byte> name, long value)
    {
        context.Reply.WriteBulk(name);
        context.Reply.WriteInteger(value);
    }

    private IEnumerable<RunnableScript> All(ServerScripts scripts) =>
        scripts.Functions.IsEmpty
            ? scripts.Cache.Scripts
            : scripts.Cache.Scripts.Concat<RunnableScript>(
                scripts.Functions.Catalog.Libraries.SelectMany(static library => library.Functions)
            );
}
