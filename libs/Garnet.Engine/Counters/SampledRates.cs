// Rates of a server's counters over the last 1.6 seconds. Written by the clock alone, read by any thread.
using System.Diagnostics;

namespace Garnet.Engine.Counters;

/// <summary>The figures of INFO that are per second.</summary>
internal sealed class SampledRates
{
    private const int Samples = 16;
    private readonly double[] _operations = new double[Samples];
    private readonly double[] _input = new double[Samples];
    private readonly double[] _output = new double[Samples];
    private readonly double[] _replicationInput = new double[Samples];
    private readonly double[] _replicationOutput = new double[Samples];
    private readonly double[] _cycles = new double[Samples];
    private readonly double[] _cycleMicroseconds = new double[Samples];
    private long _lastTimestamp;
    private Totals _last;
    private int _next;

    /// <summary>Commands per second.</summary>
    public double Operations => _operations.Average();

    /// <summary>Request bytes per second.</summary>
    public double InputBytes => _input.Average();

    /// <summary>Reply bytes per second.</summary>
    public double OutputBytes => _output.Average();

    /// <summary>Bytes per second from a primary.</summary>
    public double ReplicationInputBytes => _replicationInput.Average();

    /// <summary>Bytes per second to replicas.</summary>
    public double ReplicationOutputBytes => _replicationOutput.Average();

    /// <summary>Batches of requests per second.</summary>
    public double Cycles => _cycles.Average();

    /// <summary>The process's processor time for each of them, in microseconds.</summary>
    public double MicrosecondsPerCycle => _cycleMicroseconds.Average();

    /// <summary>Forgets all samples (CONFIG RESETSTAT).</summary>
    public void Reset()
    {
        foreach (double[] rate in All())
            Array.Clear(rate);
        _lastTimestamp = 0;
    }

    /// <summary>Takes a sample.</summary>
    /// <param name="threads">Counters of the threads.</param>
    /// <param name="timestamp">The Stopwatch's present timestamp.</param>
    /// <param name="replicationInput">Bytes received from primaries so far.</param>
    /// <param name="replicationOutput">Bytes sent to replicas so far.</param>
    public void Sample(IEnumerable<ThreadCounters> threads, long timestamp, long replicationInput, long replicationOutput)
    {
        Totals now = new() { ReplicationInput = replicationInput, ReplicationOutput = replicationOutput };
        foreach (ThreadCounters counters in threads)
        {
            now.Operations += counters.CommandsProcessed;
            now.Input += counters.InputBytes;
            now.Output += counters.OutputBytes;
            now.Cycles += counters.Reads;
        }

        if (ProcessorUsage.TryGet(out Environment.ProcessCpuUsage usage))
            now.Microseconds = usage.TotalTime.TotalMicroseconds;
        if (_lastTimestamp != 0 && timestamp > _lastTimestamp)
            Add(now, (timestamp - _lastTimestamp) / (double)Stopwatch.Frequency);
        (_lastTimestamp, _last) = (timestamp, now);
    }

    private void Add(in Totals now, double seconds)
    {
        _operations[_next] = Math.Max(0, now.Operations - _last.Operations) / seconds;
        _input[_next] = Math.Max(0, now.Input - _last.Input) / seconds;
        _output[_next] = Math.Max(0, now.Output - _last.Output) / seconds;
        _replicationInput[_next] = Math.Max(0, now.ReplicationInput - _last.ReplicationInput) / seconds;
        _replicationOutput[_next] = Math.Max(0, now.ReplicationOutput - _last.ReplicationOutput) / seconds;
        long cycles = Math.Max(0, now.Cycles - _last.Cycles);
        _cycles[_next] = cycles / seconds;
        _cycleMicroseconds[_next] = cycles == 0 ? 0 : (now.Microseconds - _last.Microseconds) / cycles;
        _next = (_next + 1) % Samples;
    }

    private double[][] All() => [_operations, _input, _output, _replicationInput, _replicationOutput, _cycles, _cycleMicroseconds];

    private struct Totals
    {
        public long Operations;
        public long Input;
        public long Output;
        public long ReplicationInput;
        public long ReplicationOutput;
        public long Cycles;
        public double Microseconds;
    }
}
