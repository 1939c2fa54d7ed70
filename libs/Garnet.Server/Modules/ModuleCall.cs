// A command that a module calls: which may be called, and with what result. Stateless; on the thread of the module's command.
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;

namespace Garnet.Server.Modules;

/// <summary>
/// Applies the rules for called commands: besides those for every request, the command must not be one about connections, must not write
/// unless its caller does, and has no keys but those that its caller has latched. The reply, or the error, is the request's reply.
/// </summary>
internal static class ModuleCall
{
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
        CommandFilters filters = scope.Owner.RequestFilters;
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
        scope.Caller = caller;
        scope.CallFlags = flags;
        if ((flags & ModuleCallFlags.AsUser) != 0)
            context.SetOrigin(Origin.ModuleCallAsUser);
        context.AllowsOom = (flags & ModuleCallFlags.RespectOom) == 0;
        return context.Client.Executor.Admit(ref context, found) == Admission.Run;
    }
}
