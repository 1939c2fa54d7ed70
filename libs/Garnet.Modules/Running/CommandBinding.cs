// Runs a command of a module. Any thread that executes commands.
using System.Runtime.CompilerServices;
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
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
    private readonly CommandCalls _calls = definition.Calls;
    private ModuleCommandHandler? _handler = definition.Handler;

    /// <inheritdoc/>
    public void Sever() => _handler = null;

    /// <summary>Executes the command.</summary>
    public CommandHandler Handler => _calls == CommandCalls.None ? Execute : ExecuteWithCalls;

    // As Run without a scope, which would be one more call for each command.
    private void Execute(ref CommandContext context)
    {
        ModuleContext call = new(ref context, module, scope: null);
        RunningModuleCommand running = RunningModuleCommand.OfThread.Of(context.Scratch);
        bool isOuter = running.Begin(context.Command);
        try
        {
            long missing = Invoke(ref call);
            if (missing != 0)
                ReplyMissing(ref context, missing);
        }
        catch (Exception e)
        {
            Fail(ref context, call.Reply.Missing, e);
        }

        running.End(isOuter);
    }

    private void ExecuteWithCalls(ref CommandContext context)
    {
        if (ModuleScopes.OfThread.Of(context.Scratch).Next(context.Client, context.Scratch) is not { } scope)
        {
            context.Reply.WriteError("ERR modules call each other too deeply"u8);
            return;
        }

        bool isAlone = _calls == CommandCalls.OnAnyKey;
        scoped ReadOnlySpan<KeyReference> keys = default;
        if (!isAlone)
            keys = LatchKeys(ref context);
        else if (!context.Client.Executor.TryBeginAlone(ref context))
            return;
        scope.Begin(module, keys);
        try
        {
            Run(ref context, scope);
        }
        finally
        {
            if (scope.End())
                context.SuppressEffect();
        }
    }

    private void Run(ref CommandContext context, ModuleScope? scope)
    {
        ModuleContext call = new(ref context, module, scope);
        RunningModuleCommand running = RunningModuleCommand.OfThread.Of(context.Scratch);
        bool isOuter = running.Begin(context.Command);
        try
        {
            long missing = Invoke(ref call);
            if (missing != 0)
                ReplyMissing(ref context, missing);
        }
        catch (Exception e)
        {
            Fail(ref context, call.Reply.Missing, e);
        }

        // No finally, because nothing gets past the handler above and it costs a call.
        running.End(isOuter);
    }

    private static ReadOnlySpan<KeyReference> LatchKeys(scoped ref CommandContext context)
    {
        List<KeyPosition> positions = context.Scratch.Pools.KeyPositions;
        positions.Clear();
        KeyExtractor.TryGetKeys(context.Command, context, 0, positions);
        Span<KeyReference> keys = context.Scratch.Pools.KeyReferences(positions.Count);
        for (int i = 0; i < keys.Length; i++)
            keys[i] = new KeyReference(context.Store.Database, context.Store.Hash(context[positions[i].Index]));
        if (keys.Length > 0)
            context.LatchKeys(keys);
        return keys;
    }

    // Runs the module's code; returns how many replies it still owes.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private long Invoke(ref ModuleContext call)
    {
        if (_handler is { } handler)
            handler(ref call);
        else
            ReplyUnloaded(ref call);
        return call.Reply.Missing;
    }

    private void ReplyUnloaded(ref ModuleContext call) =>
        call.Reply.WriteError($"ERR the module '{module.Name}' of this command was unloaded");

    private void ReplyMissing(ref CommandContext context, long missing)
    {
        log.LogError(
            "The command {Command} of module {Module} wrote {Missing} replies too few",
            context.Command.FullName,
            module.Name,
            missing
        );
        module.CountException();
        WriteErrors(ref context, missing, Encoding.UTF8.GetBytes($"ERR the command '{context.Command.FullName}' did not reply"));
    }

    // What the command has changed stays, and is replicated.
    private void Fail(ref CommandContext context, long missing, Exception e)
    {
        if (e is CallException)
        {
            WriteErrors(ref context, missing, Encoding.Latin1.GetBytes(e.Message));
            return;
        }

        module.CountException();
        log.LogError(e, "The command {Command} of module {Module} failed", context.Command.FullName, module.Name);
        string error = $"ERR {e.GetType().Name} in command '{context.Command.FullName}': {e.Message}";
        WriteErrors(ref context, missing, Encoding.UTF8.GetBytes(error));
    }

    private static void WriteErrors(ref CommandContext context, long missing, ReadOnlySpan<byte> error)
    {
        for (; missing > 0; missing--)
            context.Reply.WriteError(error);
    }
}
