// Server-wide counters, which are interlocked, and the rates sampled from the per-thread counters.

namespace Garnet.Engine.Counters;

/// <summary>The figures of INFO stats other than the per-thread counters.</summary>
internal sealed class ServerStatistics
{
    private long _connections;
    private long _rejectedConnections;
    private long _peakMemory;
    private long _queryBufferDisconnections;
    private long _outputBufferDisconnections;
    private long _evictedClients;
    private long _unexpectedReplies;
    private readonly long[] _denied = new long[Enum.GetValues<Denial>().Length];
    private long _periodicTicks;

    /// <summary>Connections accepted.</summary>
    public long ConnectionsReceived => Volatile.Read(ref _connections);

    /// <summary>Connections rejected because of maxclients.</summary>
    public long RejectedConnections => Volatile.Read(ref _rejectedConnections);

    /// <summary>Clients closed because an unfinished request grew too large.</summary>
    public long QueryBufferDisconnections => Volatile.Read(ref _queryBufferDisconnections);

    /// <summary>Clients closed because they did not read their replies.</summary>
    public long OutputBufferDisconnections => Volatile.Read(ref _outputBufferDisconnections);

    /// <summary>Clients closed because all together used too much memory.</summary>
    public long EvictedClients => Volatile.Read(ref _evictedClients);

    /// <summary>Errors in reply to a primary, and commands refused of it.</summary>
    public long UnexpectedReplies => Volatile.Read(ref _unexpectedReplies);

    /// <summary>Calls and logins denied for a reason, by the rules of users.</summary>
    public long Denied(Denial reason) => Volatile.Read(ref _denied[(int)reason]);

    /// <summary>Figures per second.</summary>
    public SampledRates Rates { get; } = new();

    /// <summary>Stopwatch ticks of the work that is done several times a second.</summary>
    public long PeriodicTicks => Volatile.Read(ref _periodicTicks);

    /// <summary>Where counters that others own stood at the last CONFIG RESETSTAT.</summary>
    public CounterBaseline Baseline { get; private set; } = CounterBaseline.Zero;

    /// <summary>Peak memory in use, as sampled.</summary>
    public long PeakMemoryBytes => Volatile.Read(ref _peakMemory);

    internal void RecordMemory(long bytes)
    {
        if (bytes > _peakMemory)
            Volatile.Write(ref _peakMemory, bytes);
    }

    internal void CountConnection() => Interlocked.Increment(ref _connections);

    internal void CountRejectedConnection() => Interlocked.Increment(ref _rejectedConnections);

    internal void CountQueryBufferDisconnection() => Interlocked.Increment(ref _queryBufferDisconnections);

    internal void CountOutputBufferDisconnection() => Interlocked.Increment(ref _outputBufferDisconnections);

    internal void CountEvictedClient() => Interlocked.Increment(ref _evictedClients);

    internal void CountUnexpectedReply() => Interlocked.Increment(ref _unexpectedReplies);

    internal void CountDenial(Denial reason) => Interlocked.Increment(ref _denied[(int)reason]);

    internal void CountPeriodic(long ticks) => Interlocked.Add(ref _periodicTicks, ticks);

    /// <summary>CONFIG RESETSTAT.</summary>
    /// <param name="baseline">What the counters of other parts are now.</param>
    internal void Reset(CounterBaseline baseline)
    {
        Baseline = baseline;
        Interlocked.Exchange(ref _periodicTicks, 0);
        Rates.Reset();
        Interlocked.Exchange(ref _evictedClients, 0);
        Interlocked.Exchange(ref _unexpectedReplies, 0);
        Interlocked.Exchange(ref _queryBufferDisconnections, 0);
        Interlocked.Exchange(ref _outputBufferDisconnections, 0);
        Interlocked.Exchange(ref _connections, 0);
        Interlocked.Exchange(ref _rejectedConnections, 0);
    }
}
