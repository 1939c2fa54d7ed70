// Runs a command of a module. Any thread that executes commands.
using Garnet.Server.CommandModel;
using Garnet.Server.Modules;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Modules.Running;

/// <summary>
/// Stands between the server and a module's code: an exception becomes an error reply, missing replies are added, and once the module is
/// unloaded nothing of it is called or kept in memory.
/// </summary>
internal sealed class CommandBinding(LoadedModule module, CommandDefinition definition, ILogger log) : IModuleBinding
{
    private ModuleCommandHandler? _handler = definition.Handler;

    /// <inheritdoc/>
    public void Sever() => _handler = null;

    /// <summary>Executes the command.</summary>
    public void Execute(ref CommandContext context)
    {
        if (_handler is not { } handler)
        {
            context.Reply.WriteError($"ERR the module '{module.Name}' of this command was unloaded");
            return;
        }

        ModuleContext call = new(ref context, module);
        try
        {
            handler(ref call);
            if (call.Reply.Missing != 0)
                ReplyMissing(ref context, call.Reply.Missing);
        }
        catch (Exception e) when (e is not KeyspaceBusyException)
        {
            Fail(ref context, call.Reply.Missing, e);
        }
    }

    private void ReplyMissing(ref CommandContext context, long missing)
    {
        log.LogError(
            "The command {Command} of module {Module} wrote {Missing} replies too few",
            context.Command.FullName,
            module.Name,
            missing
        );
        module.CountException();
        WriteErrors(ref context, missing, $"ERR the command '{context.Command.FullName}' did not reply");
    }

    // What the command has changed stays, and is replicated.
    private void Fail(ref CommandContext context, long missing, Exception e)
    {
        module.CountException();
        log.LogError(e, "The command {Command} of module {Module} failed", context.Command.FullName, module.Name);
        WriteErrors(ref context, missing, $"ERR {e.GetType().Name} in command '{context.Command.FullName}': {e.Message}");
    }

    private static void WriteErrors(ref CommandContext context, long missing, string error)
    {
        for (; missing > 0; missing--)
            context.Reply.WriteError(error);
    }
}
