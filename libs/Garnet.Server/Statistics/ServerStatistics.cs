// Counters of the server as a whole, and the rates sampled from the workers. Counters are interlocked; rates are written by the clock alone.
using System.Diagnostics;
using System.Net;
using Garnet.Server.Sessions;

namespace Garnet.Server.Statistics;

/// <summary>What INFO stats shows beyond the workers' own counters.</summary>
public sealed class ServerStatistics
{
    private const int Samples = 16;
    private readonly double[] operations = new double[Samples];
    private readonly double[] input = new double[Samples];
    private readonly double[] output = new double[Samples];
    private long connections;
    private long rejectedConnections;
    private long peakMemory;
    private long queryBufferDisconnections;
    private long outputBufferDisconnections;
    private long evictedClients;
    private long refusedLogins;
    private long lastTimestamp;
    private long lastOperations;
    private long lastInput;
    private long lastOutput;
    private int next;

    /// <summary>Tells the number of I/O threads that run now; set by the host, which has them.</summary>
    public Func<int> IoThreads { get; set; } = static () => 0;

    /// <summary>Tells where the server listens for plain clients now; set by the host.</summary>
    public Func<IReadOnlyList<EndPoint>> EndPoints { get; set; } = static () => [];
    /// <summary>Tells where it listens for clients that speak TLS; set by the host.</summary>
    public Func<IReadOnlyList<EndPoint>> TlsEndPoints { get; set; } = static () => [];

    /// <summary>Tells the certificates in use, or null without TLS; set by the host, which has them.</summary>
    public Func<TlsCertificates?> Certificates { get; set; } = static () => null;

    /// <summary>Connections accepted.</summary>
    public long ConnectionsReceived => Volatile.Read(ref connections);

    /// <summary>Connections refused because of maxclients.</summary>
    public long RejectedConnections => Volatile.Read(ref rejectedConnections);

    /// <summary>Clients ended because an unfinished request of theirs grew too large.</summary>
    public long QueryBufferDisconnections => Volatile.Read(ref queryBufferDisconnections);

    /// <summary>Clients ended because they did not read their replies.</summary>
    public long OutputBufferDisconnections => Volatile.Read(ref outputBufferDisconnections);

    /// <summary>Clients ended because all together took too much memory.</summary>
    public long EvictedClients => Volatile.Read(ref evictedClients);

    /// <summary>Logins with a wrong name or password.</summary>
    public long RefusedLogins => Volatile.Read(ref refusedLogins);

    /// <summary>Commands per second over the last 1.6 seconds.</summary>
    public double OperationsPerSecond => operations.Average();

    /// <summary>Request bytes per second over the last 1.6 seconds.</summary>
    public double InputBytesPerSecond => input.Average();

    /// <summary>Reply bytes per second over the last 1.6 seconds.</summary>
    public double OutputBytesPerSecond => output.Average();

    /// <summary>Most memory that was seen in use.</summary>
    public long PeakMemoryBytes => Volatile.Read(ref peakMemory);

    internal void NoteMemory(long bytes)
    {
        if (bytes > peakMemory)
            Volatile.Write(ref peakMemory, bytes);
    }

    internal void CountConnection() => Interlocked.Increment(ref connections);

    internal void CountRejectedConnection() => Interlocked.Increment(ref rejectedConnections);

    internal void CountQueryBufferDisconnection() => Interlocked.Increment(ref queryBufferDisconnections);

    internal void CountOutputBufferDisconnection() => Interlocked.Increment(ref outputBufferDisconnections);

    internal void CountEvictedClient() => Interlocked.Increment(ref evictedClients);

    internal void CountRefusedLogin() => Interlocked.Increment(ref refusedLogins);

    internal void Reset()
    {
        Interlocked.Exchange(ref evictedClients, 0);
        Interlocked.Exchange(ref queryBufferDisconnections, 0);
        Interlocked.Exchange(ref outputBufferDisconnections, 0);
        Interlocked.Exchange(ref connections, 0);
        Interlocked.Exchange(ref rejectedConnections, 0);
        lastTimestamp = 0;
    }

    internal void Sample(IEnumerable<Worker> workers, long timestamp)
    {
        long operationsNow = 0, inputNow = 0, outputNow = 0;
        foreach (Worker worker in workers)
        {
            operationsNow += worker.CommandsProcessed;
            inputNow += worker.InputBytes;
            outputNow += worker.OutputBytes;
        }

        if (lastTimestamp != 0 && timestamp > lastTimestamp)
        {
            double seconds = (timestamp - lastTimestamp) / (double)Stopwatch.Frequency;
            operations[next] = Math.Max(0, operationsNow - lastOperations) / seconds;
            input[next] = Math.Max(0, inputNow - lastInput) / seconds;
            output[next] = Math.Max(0, outputNow - lastOutput) / seconds;
            next = (next + 1) % Samples;
        }

        (lastTimestamp, lastOperations, lastInput, lastOutput) = (timestamp, operationsNow, inputNow, outputNow);
    }
}
