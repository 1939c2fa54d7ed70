// What FCALL and FCALL_RO have in common.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Server.Monitoring;
using Garnet.Server.Scripting;
using Garnet.Store.Index;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Reads the arguments, finds the function, and runs it.</summary>
internal sealed class FunctionCall(
    ServerScripts scripts,
    ScriptKeys keyUse,
    ScriptPermission permission,
    CommandTable commands,
    MonitorFeed monitors,
    bool isReadOnly
)
{
    private const int NameArgument = 1;

    /// <summary>The call of one of the commands.</summary>
    public static FunctionCall Of(CommandParts parts, bool isReadOnly) =>
        new(
            parts.Get<ServerScripts>(),
            parts.Get<ScriptKeys>(),
            parts.Get<ScriptPermission>(),
            parts.Get<CommandTable>(),
            parts.Get<MonitorFeed>(),
            isReadOnly
        );

    public void Execute(ref CommandContext context)
    {
        // Shown before the commands that the function calls.
        monitors.ShowOnce(ref context);
        if (!IsValid(ref context, out int keys, out LibraryFunction function))
            return;
        if (function.KeyUse == KeyUse.Unread)
            function.ReadKeyUse(function.Code, commands);
        if (keyUse.MayRunBesideOthers(ref context, function, keys))
            RunBesideOthers(ref context, function, keys);
        else
            RunAlone(ref context, keys);
    }

    // The catalog changes only while no other client is inside a command.
    private void RunBesideOthers(ref CommandContext context, LibraryFunction function, int keys)
    {
        if (!permission.IsAllowed(ref context, function.Flags, isReadOnly))
            return;
        // Its user waits for latches only, and holds none while it waits for the machine: no circle of threads can wait for each other.
        ScriptMachine machine = scripts.Functions.Catalog.Runtime.Machine;
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

    private void RunAlone(ref CommandContext context, int keys)
    {
        if (!context.Client.Executor.TryBeginAlone(ref context))
            return;
        // Found again: another client may have changed the catalog meanwhile.
        if (Find(ref context) is not { } function || !permission.IsAllowed(ref context, function.Flags, isReadOnly))
            return;
        ScriptMachine machine = scripts.Functions.Catalog.Runtime.Machine;
        machine.Execute(ref context, function, KeyCount.FirstKey, keys, isReadOnly);
    }

    private bool IsValid(ref CommandContext context, out int keys, out LibraryFunction function)
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
    private LibraryFunction? Find(ref CommandContext context)
    {
        LibraryFunction? function = scripts.Functions.Catalog.FindFunction(context[NameArgument]);
        if (function is null)
            context.Reply.WriteError("ERR Function not found"u8);
        return function;
    }
}
