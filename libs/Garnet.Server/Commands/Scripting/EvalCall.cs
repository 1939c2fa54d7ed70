// What the commands that run scripts have in common. Stateless.
using Garnet.Server.CommandModel;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Reads the arguments of EVAL and its relatives, finds the script, and runs it.</summary>
internal static class EvalCall
{
    private static ReadOnlySpan<byte> NoScript => "NOSCRIPT No matching script."u8;

    public static void Execute(ref CommandContext context, bool byHash, bool isReadOnly)
    {
        // Shown before the commands that the script calls.
        context.Server.Monitors.ShowOnce(ref context);
        ScriptHash hash = default;
        if (byHash && context[1].Length != ScriptHash.TextLength)
        {
            context.Reply.WriteError(NoScript);
            return;
        }

        if (!context.TryGetInteger(KeyCount.Argument, out long keys) || !KeyCount.IsValid(ref context, keys))
            return;

        ScriptCache cache = context.Server.Scripts.Cache;
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
        else if (ScriptCompilation.Add(ref context, context[1], isLoaded: false, out script) is { } problem)
        {
            ArgumentText.WriteError(ref context, problem);
            return;
        }

        if (ScriptPermission.IsAllowed(ref context, script.Flags, isReadOnly))
            Run(ref context, script, (int)keys, isReadOnly);
        cache.NoteUse(script);
    }

    private static void Run(ref CommandContext context, Script script, int keys, bool isReadOnly)
    {
        if (ScriptCompilation.EnsureCode(ref context, script) is { } problem)
        {
            ArgumentText.WriteError(ref context, problem);
            return;
        }

        if (script.KeyUse == KeyUse.Unread)
            script.ReadKeyUse(script.Code, context.Server.Commands);
        if (ScriptKeys.TryBegin(ref context, script, keys))
            Execute(ref context, script, keys, isReadOnly);
    }

    private static void Execute(ref CommandContext context, Script script, int keys, bool isReadOnly)
    {
        ScriptMachine machine = context.Server.Scripts.Rent();
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
