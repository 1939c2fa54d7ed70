// A command filter of a module. Immutable; called by any thread that executes commands.
using Garnet.Engine.Execution;

namespace Garnet.Server.Modules;

/// <summary>A filter and what it leaves out.</summary>
/// <param name="Module">The module that added it.</param>
/// <param name="SkipsOwnCalls">Whether it does not see what follows from the module's own calls.</param>
/// <param name="SkipsScripts">Whether it does not see what scripts call.</param>
/// <param name="Code">The code.</param>
internal sealed record ModuleFilter(LoadedModule Module, bool SkipsOwnCalls, bool SkipsScripts, ModuleFilterCode Code)
{
    /// <summary>Whether the filter sees a request.</summary>
    public bool Sees(ref CommandContext context, CommandOrigin origin) =>
        !(SkipsScripts && origin == CommandOrigin.Script) && !(SkipsOwnCalls && ModuleScope.IsCalledBy(context.Client, Module));
}
