// Server-wide counters, and the rates sampled from the per-thread counters. Counters are interlocked; rates are written by the clock alone.
using System.Diagnostics;
using System.Net;
using Garnet.Server.Acl;
using Garnet.Server.Sessions;

namespace Garnet.Server.Statistics;

/// <summary>The figures of INFO stats other than the per-thread counters.</summary>
internal sealed class ServerStatistics
{
    private const int Samples = 16;
    private readonly double[] _operations = new double[Samples];
    private readonly double[] _input = new double[Samples];
    private readonly double[] _output = new double[Samples];
    private readonly double[] _cycles = new double[Samples];
    private readonly double[] _cycleMicroseconds = new double[Samples];
    private long _connections;
    private long _rejectedConnections;
    private long _peakMemory;
    private long _queryBufferDisconnections;
    private long _outputBufferDisconnections;
    private long _evictedClients;
    private readonly long[] _denied = new long[Enum.GetValues<Denial>().Length];
    private long _lastTimestamp;
    private long _lastOperations;
    private long _lastInput;
    private long _lastOutput;
    private long _lastCycles;
    private double _lastMicroseconds;
    private int _next;

    /// <summary>Returns the present number of I/O threads; set by the host, which owns them.</summary>
    public Func<int> IoThreads { get; set; } = static () => 0;

    /// <summary>Returns the end points for clients without TLS; set by the host.</summary>
    public Func<IReadOnlyList<EndPoint>> EndPoints { get; set; } = static () => [];

    /// <summary>Returns the end points for TLS clients; set by the host.</summary>
    public Func<IReadOnlyList<EndPoint>> TlsEndPoints { get; set; } = static () => [];

    /// <summary>Returns the certificates in use, or null without TLS; set by the host, which owns them.</summary>
    public Func<TlsCertificates?> Certificates { get; set; } = static () => null;

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

    /// <summary>Calls and logins denied for a reason, by the rules of users.</summary>
    public long Denied(Denial reason) => Volatile.Read(ref _denied[(int)reason]);

    /// <summary>Commands per second over the last 1.6 seconds.</summary>
    public double OperationsPerSecond => _operations.Average();

    /// <summary>Request bytes per second over the last 1.6 seconds.</summary>
    public double InputBytesPerSecond => _input.Average();

    /// <summary>Reply bytes per second over the last 1.6 seconds.</summary>
    public double OutputBytesPerSecond => _output.Average();

    /// <summary>Peak memory in use, as sampled.</summary>
    public long PeakMemoryBytes => Volatile.Read(ref _peakMemory);

    internal void NoteMemory(long bytes)
    {
        if (bytes > _peakMemory)
            Volatile.Write(ref _peakMemory, bytes);
    }

    /// <summary>Batches of requests per second over the same time.</summary>
    public double CyclesPerSecond => _cycles.Average();

    /// <summary>The process's processor time for each of them, in microseconds.</summary>
    public double MicrosecondsPerCycle => _cycleMicroseconds.Average();

    internal void CountConnection() => Interlocked.Increment(ref _connections);

    internal void CountRejectedConnection() => Interlocked.Increment(ref _rejectedConnections);

    internal void CountQueryBufferDisconnection() => Interlocked.Increment(ref _queryBufferDisconnections);

    internal void CountOutputBufferDisconnection() => Interlocked.Increment(ref _outputBufferDisconnections);

    internal void CountEvictedClient() => Interlocked.Increment(ref _evictedClients);

    internal void CountDenial(Denial reason) => Interlocked.Increment(ref _denied[(int)reason]);

    internal void Reset()
    {
        Interlocked.Exchange(ref _evictedClients, 0);
        Interlocked.Exchange(ref _queryBufferDisconnections, 0);
        Interlocked.Exchange(ref _outputBufferDisconnections, 0);
        Interlocked.Exchange(ref _connections, 0);
        Interlocked.Exchange(ref _rejectedConnections, 0);
        _lastTimestamp = 0;
    }

    internal void Sample(IEnumerable<BatchContext> workers, long timestamp)
    {
        long operationsNow = 0,
            inputNow = 0,
            outputNow = 0,
            cyclesNow = 0;
        foreach (BatchContext batch in workers)
        {
            operationsNow += batch.Counters.CommandsProcessed;
            inputNow += batch.Counters.InputBytes;
            outputNow += batch.Counters.OutputBytes;
            cyclesNow += batch.Counters.Reads;
        }

        double microseconds = ProcessorSection.TryGetUsage(out Environment.ProcessCpuUsage usage) ? usage.TotalTime.TotalMicroseconds : 0;

        if (_lastTimestamp != 0 && timestamp > _lastTimestamp)
        {
            double seconds = (timestamp - _lastTimestamp) / (double)Stopwatch.Frequency;
            _operations[_next] = Math.Max(0, operationsNow - _lastOperations) / seconds;
            _input[_next] = Math.Max(0, inputNow - _lastInput) / seconds;
            _output[_next] = Math.Max(0, outputNow - _lastOutput) / seconds;
            long cycles = Math.Max(0, cyclesNow - _lastCycles);
            _cycles[_next] = cycles / seconds;
            _cycleMicroseconds[_next] = cycles == 0 ? 0 : (microseconds - _lastMicroseconds) / cycles;
            _next = (_next + 1) % Samples;
        }

        (_lastTimestamp, _lastOperations, _lastInput, _lastOutput) = (timestamp, operationsNow, inputNow, outputNow);
        (_lastCycles, _lastMicroseconds) = (cyclesNow, microseconds);
    }
}
