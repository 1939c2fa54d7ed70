// One measurement, as its threads see it. Immutable but for the request to stop; any thread.
using Garnet.Bench.Options;
using Garnet.Bench.Servers;
using Garnet.Bench.Workloads;

namespace Garnet.Bench.Load;

/// <summary>What to send to whom, and for how long.</summary>
internal sealed class LoadPlan
{
    private volatile bool _mustStop;
    private volatile bool _isAbandoned;

    /// <summary>Creates a plan with the duration of the options.</summary>
    public LoadPlan(BenchOptions options, ServerTarget server, Workload workload, ValuePool pool)
    {
        Options = options;
        Server = server;
        Workload = workload;
        Pool = pool;
        Pipeline = options.Load.Pipeline;
        Requests = options.Load.Requests;
        Time = options.Load.Time ?? (Requests is null ? DefaultTime : null);
        WarmUp = options.Load.WarmUp ?? (Requests is null ? DefaultWarmUp : TimeSpan.Zero);
        Rate = options.Load.Rate;
        Threads = options.Load.Threads;
        KeepsAlive = options.Load.KeepsAlive;
    }

    /// <summary>How long is measured by default.</summary>
    public static TimeSpan DefaultTime { get; } = TimeSpan.FromSeconds(5);

    /// <summary>How long the load lasts before measuring, by default.</summary>
    public static TimeSpan DefaultWarmUp { get; } = TimeSpan.FromSeconds(1);

    /// <summary>All options.</summary>
    public BenchOptions Options { get; }

    /// <summary>The server.</summary>
    public ServerTarget Server { get; }

    /// <summary>The commands.</summary>
    public Workload Workload { get; }

    /// <summary>The values.</summary>
    public ValuePool Pool { get; }

    /// <summary>Requests that a connection has under way at most.</summary>
    public int Pipeline { get; init; }

    /// <summary>Requests to measure, or null.</summary>
    public long? Requests { get; init; }

    /// <summary>How long to measure, or null.</summary>
    public TimeSpan? Time { get; init; }

    /// <summary>How long to load before measuring.</summary>
    public TimeSpan WarmUp { get; init; }

    /// <summary>Requests a second of an open loop, or null.</summary>
    public double? Rate { get; init; }

    /// <summary>Whether nothing more is to be sent.</summary>
    public bool MustStop => _mustStop;

    /// <summary>Whether replies are not waited for either.</summary>
    public bool IsAbandoned => _isAbandoned;

    /// <summary>Number of threads.</summary>
    public int Threads { get; init; }

    /// <summary>Whether a connection serves for all requests.</summary>
    public bool KeepsAlive { get; init; }

    /// <summary>Whether random numbers count up instead.</summary>
    public bool CountsUp { get; init; }

    /// <summary>Ends the measurement early; may be called by any thread.</summary>
    public void Stop() => _mustStop = true;

    /// <summary>Ends the measurement, whose result is of no use. Any thread.</summary>
    public void Abandon()
    {
        _isAbandoned = true;
        _mustStop = true;
    }

    /// <summary>The first connection of a thread; that of the thread after the last is the number of connections.</summary>
    public int FirstConnection(int thread) => (int)((long)Options.Load.Clients * thread / Threads);

    /// <summary>How many requests a thread measures.</summary>
    public long RequestsOf(int thread) => Requests is { } all ? Share(all, thread + 1) - Share(all, thread) : long.MaxValue;

    private long Share(long all, int thread) => (long)((Int128)all * thread / Threads);
}
