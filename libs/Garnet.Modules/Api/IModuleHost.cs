// What a module may ask of its server. Any thread, unless a member says otherwise.
using Microsoft.Extensions.Logging;

namespace Garnet.Modules;

/// <summary>The server that a module is part of.</summary>
public interface IModuleHost
{
    /// <summary>The server's log, under the module's name.</summary>
    ILogger Log { get; }

    /// <summary>The server's clock, which tests may replace. Commands read <see cref="ModuleContext.NowMs"/> instead.</summary>
    TimeProvider Time { get; }
}
