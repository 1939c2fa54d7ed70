// A command that a module calls: which may be called, and with what result. Stateless; on the thread of the module's command.
using Garnet.Server.CommandModel;
using Garnet.Server.Sessions;

namespace Garnet.Server.Modules;

/// <summary>
/// Applies the rules for called commands: besides those for every request, the command must not be one about connections, must not write
/// unless its caller does, and has no keys but those that its caller has latched. The reply, or the error, is the request's reply.
/// </summary>
internal static class ModuleCall
{
    private const CommandTraits NotCallable = CommandTraits.OfConnection | CommandTraits.ControlsTransaction | CommandTraits.OfReplication;

    /// <summary>Calls a command with the arguments of the scope's request.</summary>
    /// <param name="scope">The caller's scope.</param>
    /// <param name="caller">The caller.</param>
    /// <param name="found">The command, or a container of commands; null for an unknown one.</param>
    /// <param name="flags">How it is called.</param>
    /// <returns>Whether the reply is none of the errors that commands reply with.</returns>
    public static bool Invoke(ModuleScope scope, Command caller, Command? found, ModuleCallFlags flags)
    {
        scope.Protocol = (flags & ModuleCallFlags.Resp3) != 0 ? 3 : 2;
        scope.Propagates = (flags & ModuleCallFlags.Replicate) != 0;
        CommandContext context = scope.Request.NewContext(scope);
        CommandFilters filters = scope.Client.Server.Modules.Filters;
        bool passes = !filters.AreOn || filters.Apply(ref context, scope.Filtered, CommandOrigin.Module, ref found);
        if (passes && IsAdmitted(ref context, scope, caller, found, flags))
        {
            if ((flags & ModuleCallFlags.DryRun) != 0)
                context.Reply.WriteOk();
            else
                scope.Execute(ref context);
        }

        bool succeeded = context.Reply.ErrorCount == 0;
        context.Reply.Flush();
        return succeeded;
    }

    private static bool IsAdmitted(ref CommandContext context, ModuleScope scope, Command caller, Command? found, ModuleCallFlags flags)
    {
        if (!CommandAdmission.TryResolve(ref context, found))
            return false;
        Command command = context.Command;
        if (Problem(ref context, scope, caller, flags) is { } problem)
        {
            CommandRejection.Reject(ref context, command, problem);
            return false;
        }

        if ((flags & ModuleCallFlags.AsUser) != 0 && scope.Client.Login.IsRestricted && !CommandAdmission.IsPermitted(ref context))
            return false;
        if (
            context.HasSink
            && command.IsWrite
            && scope.Client.Propagation.Bytes + context.ArgumentBytes > context.Server.Admission.MaxEffectBytes
        )
        {
            CommandRejection.Reject(ref context, command, ErrorText.TooLong);
            return false;
        }

        return CommandAdmission.IsLetIn(ref context, allowsOom: (flags & ModuleCallFlags.RespectOom) == 0);
    }

    private static string? Problem(ref CommandContext context, ModuleScope scope, Command caller, ModuleCallFlags flags)
    {
        Command command = context.Command;
        bool isCallable = !command.Has(NotCallable) || command.Has(CommandTraits.SelectsDatabase);
        if ((command.Flags & CommandFlags.NoScript) != 0 || !isCallable)
            return $"ERR the command '{command.FullName}' cannot be called by a module";
        bool writes = (command.Flags & (CommandFlags.Write | CommandFlags.MayReplicate)) != 0;
        if (writes && (flags & ModuleCallFlags.NoWrites) != 0)
            return $"ERR the command '{command.FullName}' writes, and was called with NoWrites";
        if (writes && !caller.IsWrite)
            return $"ERR the command '{command.FullName}' writes, but its caller '{caller.FullName}' does not have the flag Write";
        return scope.IsAlone || HasLatchedKeys(ref context, scope, command)
            ? null
            : $"ERR the command '{command.FullName}' accesses keys that its caller '{caller.FullName}' does not have: it needs Calls = CommandCalls.OnAnyKey";
    }

    private static bool HasLatchedKeys(ref CommandContext context, ModuleScope scope, Command command)
    {
        if (command.HasUnknownKeys || (command.Flags & (CommandFlags.WholeKeyspace | CommandFlags.MovableKeys)) != 0)
            return false;
        List<KeyPosition> positions = context.Batch.KeyPositions;
        positions.Clear();
        if (command.Descriptor.Keys.Length > 0 && !KeyExtractor.TryGetKeys(command, context, 0, positions))
            return false;
        foreach (KeyPosition position in positions)
        {
            if (!scope.MayAccess(context.Store.Hash(context[position.Index])))
                return false;
        }

        return true;
    }
}
