// FUNCTION STATS
using System.Diagnostics;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Tells which function runs, and counts libraries and functions.</summary>
internal sealed class FunctionStatsCommand(ServerScripts scripts)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "STATS",
        Arity = 2,
        Flags = CommandFlags.NoScript | CommandFlags.AllowBusy,
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Traits = CommandTraits.TakesLongArguments,
        Since = "7.0.0",
        Tips = ["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
        MakeHandler = static parts => new FunctionStatsCommand(parts.Get<ServerScripts>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        ScriptRun? run = scripts.Running.Run;
        if (run is { IsFunction: false })
        {
            context.Reply.WriteError(scripts.Running.BusyError);
            return;
        }

        FunctionCatalog catalog = scripts.Functions.Catalog;
        context.Reply.WriteMap(2);
        context.Reply.WriteBulk("running_script"u8);
        if (run is null)
            context.Reply.WriteNull();
        else
            Write(ref context, run);
        context.Reply.WriteBulk("engines"u8);
        context.Reply.WriteMap(1);
        ArgumentText.WriteBulk(ref context, FunctionCatalog.Engine);
        context.Reply.WriteMap(2);
        context.Reply.WriteBulk("libraries_count"u8);
        context.Reply.WriteInteger(catalog.Libraries.Count);
        context.Reply.WriteBulk("functions_count"u8);
        context.Reply.WriteInteger(catalog.FunctionCount);
    }

    private static void Write(ref CommandContext context, ScriptRun run)
    {
        context.Reply.WriteMap(3);
        context.Reply.WriteBulk("name"u8);
        ArgumentText.WriteBulk(ref context, run.Script.Name);
        context.Reply.WriteBulk("command"u8);
        run.Command.Write(ref context);
        context.Reply.WriteBulk("duration_ms"u8);
        context.Reply.WriteInteger((long)Stopwatch.GetElapsedTime(run.StartTimestamp).TotalMilliseconds);
    }
}
