// What FCALL and FCALL_RO have in common. Stateless.
using Garnet.Protocol;
using Garnet.Server.CommandModel;
using Garnet.Server.Scripting;
using Garnet.Server.Scripting.Functions;
using Garnet.Server.Sessions;
using Garnet.Store.Index;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Reads the arguments, finds the function, and runs it.</summary>
internal static class FunctionCall
{
    private const int NameArgument = 1;

    public static void Execute(ref CommandContext context, bool isReadOnly)
    {
        // Shown before the commands that the function calls.
        context.Server.Monitors.ShowOnce(ref context);
        if (!IsValid(ref context, out int keys, out LibraryFunction function))
            return;
        if (function.KeyUse == KeyUse.Unread)
            function.ReadKeyUse(function.Code, context.Server.Commands);
        if (ScriptKeys.MayRunBesideOthers(ref context, function, keys))
            RunBesideOthers(ref context, function, keys, isReadOnly);
        else
            RunAlone(ref context, keys, isReadOnly);
    }

    // The catalog changes only while no other client is inside a command.
    private static void RunBesideOthers(ref CommandContext context, LibraryFunction function, int keys, bool isReadOnly)
    {
        if (!ScriptPermission.IsAllowed(ref context, function.Flags, isReadOnly))
            return;
        // Its user waits for latches only, and holds none while it waits for the machine: no circle of threads can wait for each other.
        ScriptMachine machine = context.Server.Scripts.Functions.Catalog.Runtime.Machine;
        int spins = 0;
        while (!machine.TryTake())
            LatchSpin.Pause(ref spins);

        try
        {
            ScriptKeys.Latch(ref context, keys);
            machine.Execute(ref context, function, KeyCount.FirstKey, keys, isReadOnly);
        }
        finally
        {
            machine.Release();
        }
    }

    private static void RunAlone(ref CommandContext context, int keys, bool isReadOnly)
    {
        if (!context.Server.Executor.TryBeginAlone(ref context))
            return;
        // Found again: another client may have changed the catalog meanwhile.
        if (Find(ref context) is not { } function || !ScriptPermission.IsAllowed(ref context, function.Flags, isReadOnly))
            return;
        ScriptMachine machine = context.Server.Scripts.Functions.Catalog.Runtime.Machine;
        machine.Execute(ref context, function, KeyCount.FirstKey, keys, isReadOnly);
    }

    private static bool IsValid(ref CommandContext context, out int keys, out LibraryFunction function)
    {
        keys = 0;
        function = null!;
        if (Find(ref context) is not { } found)
            return false;
        function = found;
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
}
