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
    private readonly double[] _replicationInput = new double[Samples];
    private readonly double[] _replicationOutput = new double[Samples];
    private readonly double[] _cycles = new double[Samples];
    private readonly double[] _cycleMicroseconds = new double[Samples];
    private long _connections;
    private long _rejectedConnections;
    private long _peakMemory;
    private long _queryBufferDisconnections;
    private long _outputBufferDisconnections;
    private long _evictedClients;
    private long _unexpectedReplies;
    private readonly long[] _denied = new long[Enum.GetValues<Denial>().Length];
    private long _lastTimestamp;
    private long _lastOperations;
    private long _lastInput;
    private long _lastOutput;
    private long _lastCycles;
    private long _lastReplicationInput;
    private long _lastReplicationOutput;
    private long _periodicTicks;
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

    /// <summary>Errors in reply to a primary, and commands refused of it.</summary>
    public long UnexpectedReplies => Volatile.Read(ref _unexpectedReplies);

    /// <summary>Calls and logins denied for a reason, by the rules of users.</summary>
    public long Denied(Denial reason) => Volatile.Read(ref _denied[(int)reason]);

    /// <summary>Commands per second over the last 1.6 seconds.</summary>
    public double OperationsPerSecond => _operations.Average();

    /// <summary>Request bytes per second over the last 1.6 seconds.</summary>
    public double InputBytesPerSecond => _input.Average();

    /// <summary>Reply bytes per second over the last 1.6 seconds.</summary>
    public double OutputBytesPerSecond => _output.Average();

    /// <summary>Bytes per second from a primary over the same time.</summary>
    public double ReplicationInputBytesPerSecond => _replicationInput.Average();

    /// <summary>Bytes per second to replicas over the same time.</summary>
    public double ReplicationOutputBytesPerSecond => _replicationOutput.Average();

    /// <summary>Stopwatch ticks of the work that is done several times a second.</summary>
    public long PeriodicTicks => Volatile.Read(ref _periodicTicks);

    /// <summary>Where counters that others own stood at the last CONFIG RESETSTAT.</summary>
    public CounterBaseline Baseline { get; private set; } = CounterBaseline.Zero;

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

    internal void CountUnexpectedReply() => Interlocked.Increment(ref _unexpectedReplies);

    internal void CountDenial(Denial reason) => Interlocked.Increment(ref _denied[(int)reason]);

    internal void CountPeriodic(long ticks) => Interlocked.Add(ref _periodicTicks, ticks);

    internal void Reset(RespServer server)
    {
        Baseline = new CounterBaseline(server);
        Interlocked.Exchange(ref _periodicTicks, 0);
        double[][] rates = [_operations, _input, _output, _replicationInput, _replicationOutput, _cycles, _cycleMicroseconds];
        foreach (double[] rate in rates)
            Array.Clear(rate);
        Interlocked.Exchange(ref _evictedClients, 0);
        Interlocked.Exchange(ref _unexpectedReplies, 0);
        Interlocked.Exchange(ref _queryBufferDisconnections, 0);
        Interlocked.Exchange(ref _outputBufferDisconnections, 0);
        Interlocked.Exchange(ref _connections, 0);
        Interlocked.Exchange(ref _rejectedConnections, 0);
        _lastTimestamp = 0;
    }

    internal void Sample(IEnumerable<BatchContext> workers, long timestamp, long replicationInput = 0, long replicationOutput = 0)
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
            _replicationInput[_next] = Math.Max(0, replicationInput - _lastReplicationInput) / seconds;
            _replicationOutput[_next] = Math.Max(0, replicationOutput - _lastReplicationOutput) / seconds;
            long cycles = Math.Max(0, cyclesNow - _lastCycles);
            _cycles[_next] = cycles / seconds;
            _cycleMicroseconds[_next] = cycles == 0 ? 0 : (microseconds - _lastMicroseconds) / cycles;
            _next = (_next + 1) % Samples;
        }

        (_lastTimestamp, _lastOperations, _lastInput, _lastOutput) = (timestamp, operationsNow, inputNow, outputNow);
        (_lastReplicationInput, _lastReplicationOutput) = (replicationInput, replicationOutput);
        (_lastCycles, _lastMicroseconds) = (cyclesNow, microseconds);
    }
}
