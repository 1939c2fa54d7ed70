// What the commands that run scripts have in common.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Monitoring;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Reads the arguments of EVAL and its relatives, finds the script, and runs it.</summary>
internal sealed class EvalCall(
    ServerScripts scripts,
    ScriptKeys keyUse,
    ScriptPermission permission,
    CommandTable commands,
    MonitorFeed monitors,
    bool byHash,
    bool isReadOnly
)
{
    private static ReadOnlySpan<byte> NoScript => "NOSCRIPT No matching script."u8;

    /// <summary>The call of one of the commands.</summary>
    public static EvalCall Of(CommandParts parts, bool byHash, bool isReadOnly) =>
        new(
            parts.Get<ServerScripts>(),
            parts.Get<ScriptKeys>(),
            parts.Get<ScriptPermission>(),
            parts.Get<CommandTable>(),
            parts.Get<MonitorFeed>(),
            byHash,
            isReadOnly
        );

    public void Execute(ref CommandContext context)
    {
        // Shown before the commands that the script calls.
        monitors.ShowOnce(ref context);
        ScriptHash hash = default;
        if (byHash && context[1].Length != ScriptHash.TextLength)
        {
            context.Reply.WriteError(NoScript);
            return;
        }

        if (!context.TryGetInteger(KeyCount.Argument, out long keys) || !KeyCount.IsValid(ref context, keys))
            return;

        ScriptCache cache = scripts.Cache;
        Script? script;
        if (byHash)
        {
            script = ScriptHash.TryParse(context[1], out hash) ? cache.Find(hash) : null;
            if (script is null)
            {
                context.Reply.WriteError(NoScript);
                return;
            }
        }
        else if (ScriptCompilation.Add(ref context, scripts, context[1], isLoaded: false, out script) is { } problem)
        {
            ArgumentText.WriteError(ref context, problem);
            return;
        }

        if (permission.IsAllowed(ref context, script.Flags, isReadOnly))
            Run(ref context, script, (int)keys);
        cache.MarkUsed(script);
    }

    private void Run(ref CommandContext context, Script script, int keys)
    {
        if (ScriptCompilation.EnsureCode(ref context, scripts, script) is { } problem)
        {
            ArgumentText.WriteError(ref context, problem);
            return;
        }

        if (script.KeyUse == KeyUse.Unread)
            script.ReadKeyUse(script.Code, commands);
        if (keyUse.TryBegin(ref context, script, keys))
            Execute(ref context, script, keys);
    }

    private void Execute(ref CommandContext context, Script script, int keys)
    {
        ScriptMachine machine = scripts.Rent();
        try
        {
            machine.Execute(ref context, script, KeyCount.FirstKey, keys, isReadOnly);
        }
        finally
        {
            machine.Release();
        }
    }
}
