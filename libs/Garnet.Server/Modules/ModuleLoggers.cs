// The logs of modules. Thread-safe.
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Modules;

/// <summary>Gives each module a log of its own.</summary>
internal sealed class ModuleLoggers(ILoggerFactory loggers)
{
    /// <summary>The log of a module.</summary>
    public ILogger For(string module) => loggers.CreateLogger("Garnet.Module." + module);
}
