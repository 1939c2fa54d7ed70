// What FCALL and FCALL_RO have in common. Stateless.
using Garnet.Protocol;
using Garnet.Server.CommandModel;
using Garnet.Server.Scripting;
using Garnet.Server.Scripting.Functions;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Reads the arguments, finds the function, and runs it.</summary>
internal static class FunctionCall
{
    private const int NameArgument = 1;

    public static void Execute(ref CommandContext context, bool isReadOnly)
    {
        // Shown before the commands that the function calls.
        if (context.Server.Monitors.IsWatched)
            context.Server.Monitors.ShowNow(ref context);
        if (!IsValid(ref context, out int keys))
            return;
        context.Store.BeginExclusive();
        try
        {
            Run(ref context, keys, isReadOnly);
        }
        finally
        {
            context.Store.EndExclusive();
        }
    }

    private static bool IsValid(ref CommandContext context, out int keys)
    {
        keys = 0;
        if (Find(ref context) is null)
            return false;
        if (!IntegerText.TryParse(context[KeyCount.Argument], out long count))
        {
            context.Reply.WriteError("ERR Bad number of keys provided"u8);
            return false;
        }

        if (!KeyCount.IsValid(ref context, count))
            return false;
        keys = (int)count;
        return true;
    }

    // The function, or null and an error in the reply.
    private static LibraryFunction? Find(ref CommandContext context)
    {
        LibraryFunction? function = context.Server.Scripts.Functions.Catalog.FindFunction(context[NameArgument]);
        if (function is null)
            context.Reply.WriteError("ERR Function not found"u8);
        return function;
    }

    // Found again under the barrier: another client may have changed the catalog meanwhile.
    private static void Run(ref CommandContext context, int keys, bool isReadOnly)
    {
        if (Find(ref context) is not { } function || !ScriptPermission.IsAllowed(ref context, function.Flags, isReadOnly))
            return;
        ScriptMachine machine = context.Server.Scripts.Functions.Catalog.Runtime.Machine;
        machine.Execute(ref context, function, KeyCount.FirstKey, keys, isReadOnly);
    }
}
