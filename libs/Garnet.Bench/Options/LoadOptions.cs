// Options of the load. Filled by one thread, then only read.
namespace Garnet.Bench.Options;

/// <summary>How much load, and for how long.</summary>
internal sealed class LoadOptions
{
    /// <summary>Connections, of all threads together.</summary>
    public int Clients { get; set; } = 50;

    /// <summary>Threads that generate load.</summary>
    public int Threads { get; set; } = 1;

    /// <summary>Requests that a connection has under way at most.</summary>
    public int Pipeline { get; set; } = 1;

    /// <summary>Whether a connection serves for all requests, or for one pipeline of them.</summary>
    public bool KeepsAlive { get; set; } = true;

    /// <summary>Requests to measure, of all connections together; null to measure for a time.</summary>
    public long? Requests { get; set; }

    /// <summary>How long to measure; null where <see cref="Requests"/> says when to end.</summary>
    public TimeSpan? Time { get; set; }

    /// <summary>How long to load before measuring; null for the default.</summary>
    public TimeSpan? WarmUp { get; set; }

    /// <summary>Requests a second to be sent whatever the server does; null for as many as it answers.</summary>
    public double? Rate { get; set; }

    /// <summary>How the moments of an open loop are spread; null for evenly.</summary>
    public ArrivalPattern? Arrivals { get; set; }

    /// <summary>Memory that the load may need at most, in bytes; null for half of the machine's.</summary>
    public long? MaxMemory { get; set; }

    /// <summary>How often each test is repeated.</summary>
    public int? Rounds { get; set; }
}
