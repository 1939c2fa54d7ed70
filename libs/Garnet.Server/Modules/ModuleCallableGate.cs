// What a module's command may call. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;

namespace Garnet.Server.Modules;

/// <summary>
/// Refuses commands about connections, writes unless the caller writes, and keys that the caller has not latched.
/// </summary>
internal sealed class ModuleCallableGate() : Gate(GateMask.ModuleCallable)
{
    private const CommandTraits NotCallable = CommandTraits.OfConnection | CommandTraits.ControlsTransaction | CommandTraits.OfReplication;

    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => true;

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request) =>
        request.Client.Transactions.Module is ModuleScope scope && Problem(ref request, scope) is { } problem
            ? new Refusal(RefusalKind.NotFromModule, problem)
            : default(GateAnswer);

    private static string? Problem(ref CommandContext context, ModuleScope scope)
    {
        Command command = context.Command;
        bool isCallable = !command.Has(NotCallable) || command.Has(CommandTraits.SelectsDatabase);
        if ((command.Flags & CommandFlags.NoScript) != 0 || !isCallable)
            return $"ERR the command '{command.FullName}' cannot be called by a module";
        bool writes = (command.Flags & (CommandFlags.Write | CommandFlags.MayReplicate)) != 0;
        if (writes && (scope.CallFlags & ModuleCallFlags.NoWrites) != 0)
            return $"ERR the command '{command.FullName}' writes, and was called with NoWrites";
        if (writes && !scope.Caller.IsWrite)
            return $"ERR the command '{command.FullName}' writes, but its caller '{scope.Caller.FullName}' does not have the flag Write";
        return scope.IsAlone || HasLatchedKeys(ref context, scope, command)
            ? null
            : $"ERR the command '{command.FullName}' accesses keys that its caller '{scope.Caller.FullName}' does not have: it needs Calls = CommandCalls.OnAnyKey";
    }

    private static bool HasLatchedKeys(ref CommandContext context, ModuleScope scope, Command command)
    {
        if (command.HasUnknownKeys || (command.Flags & (CommandFlags.WholeKeyspace | CommandFlags.MovableKeys)) != 0)
            return false;
        List<KeyPosition> positions = context.Scratch.Pools.KeyPositions;
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
