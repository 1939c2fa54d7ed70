// Work that a server does several times per second. Run by the server's clock, one run at a time in general.
using System.Diagnostics;
using Garnet.Server.ModuleHost;
using Garnet.Server.Modules;

namespace Garnet.Server.Composition;

/// <summary>Samples statistics, serves blocked clients whose keys have expired, and checks limits, schedules and idle clients.</summary>
internal sealed class PeriodicChecks(RespServer server)
{
    private readonly ModuleWatchdog _watchdog = new(server.Configuration, server.Modules, server.Commands, server.Threads, server.Log);
    private readonly ModuleServerEvents _moduleEvents = new(server.Modules, server.Effects, server.Persistence.Snapshots);

    /// <summary>Runs all of them once.</summary>
    public void Run()
    {
        long start = Stopwatch.GetTimestamp();
        server.Statistics.Rates.Sample(
            server.Threads.All.Select(static thread => thread.Counters),
            start,
            server.Replication.ReceivedBytes,
            server.Replication.Replicas.SentBytes
        );
        Check();
        server.Statistics.CountPeriodic(Stopwatch.GetTimestamp() - start);
    }

    private void Check()
    {
        GarnetOptions options = server.Configuration.Current;
        // A command that does not end may hold what the other checks wait for.
        if (_watchdog.Check(server.Clock.NowMs))
            return;
        // As in Valkey, nothing that concerns data happens while a script runs, nor is a client idle that could not be served.
        bool isScriptRunning = server.Scripts.Running.Run is not null;
        // Keys also disappear without a command, by expiry.
        server.Blocked.Serve();
        server.Tracking.Tidy();
        server.Memory.Settle();
        server.Tier.Watch.Check(server.Clock.NowMs);
        server.ClientMemory.Eviction.Run(options);
        if (!isScriptRunning)
        {
            server.Clients.EndIdle(server.Clock.NowMs, options.TimeoutSeconds);
            server.Persistence.Tick();
            _moduleEvents.Check();
        }

        server.Roles.Tick();
        server.Targets.CloseIdle(server.Clock.NowMs);
        server.Clients.EndSlowReaders(server.Clock.NowMs, options.ClientOutputBufferLimits);
    }
}
