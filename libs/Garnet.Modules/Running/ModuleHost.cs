// The server as a module sees it. Any thread, after the module's Load has returned.
using Garnet.Server.Modules;
using Microsoft.Extensions.Logging;

namespace Garnet.Modules.Running;

/// <summary>Passes on what a module declares, and what it asks for.</summary>
internal sealed class ModuleHost(ModuleSetup setup) : IModuleHost
{
    /// <inheritdoc/>
    public ILogger Log { get; } = setup.Server.Modules.LoggerFor(setup.Module.Name);

    /// <inheritdoc/>
    public TimeProvider Time { get; } = setup.Server.Clock.Time;
}
