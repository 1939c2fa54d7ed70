// What scripts have to do with in a server. Immutable.
using Garnet.Engine.Execution;
using Garnet.Server.Configuration;
using Garnet.Server.Modules;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Scripting;

/// <summary>The parts that machines use.</summary>
/// <param name="Configuration">Their limits.</param>
/// <param name="Store">Lets others in while a script is slow.</param>
/// <param name="Log">Where they log.</param>
/// <param name="Commands">What they call.</param>
/// <param name="Filters">See what they call.</param>
/// <param name="Cache">The scripts that are kept.</param>
/// <param name="Running">The one that runs alone.</param>
internal sealed record ScriptHost(
    ServerConfiguration Configuration,
    HybridLogStore Store,
    ILogger Log,
    CommandTable Commands,
    CommandFilters Filters,
    ScriptCache Cache,
    RunningScript Running
);
