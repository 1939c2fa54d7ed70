// What clients need of their server. Immutable.
using Garnet.Engine.Clients;
using Garnet.Engine.Counters;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Engine.Execution;

/// <summary>The parts that all clients of a server share.</summary>
/// <param name="Store">The data.</param>
/// <param name="Executor">Runs their commands.</param>
/// <param name="Sink">Where the effects of their commands go.</param>
/// <param name="Registry">The other clients.</param>
/// <param name="Memory">The limits on their memory.</param>
/// <param name="Users">The users they may be.</param>
/// <param name="Statistics">Counts what becomes of them.</param>
/// <param name="Clock">The time.</param>
/// <param name="Log">Says what becomes of them.</param>
/// <param name="OnEnd">Forgets a client that has ended.</param>
internal sealed record ClientParts(
    HybridLogStore Store,
    Executor Executor,
    EffectSink Sink,
    ClientRegistry Registry,
    ClientMemoryLimits Memory,
    LoginRules Users,
    ServerStatistics Statistics,
    ServerClock Clock,
    ILogger Log,
    Action<ClientSession> OnEnd
);
