// Carries out io-threads 0: samples the I/O threads ten times a second and lets the policy decide. Runs on the clock's thread, one sample
// at a time.
using Garnet.Engine.Execution;
using Garnet.Network;

namespace Garnet.Hosting.Tuning;

/// <summary>Starts with one I/O thread and adds or retires them by load. Does nothing while the number is fixed.</summary>
internal sealed class IoThreadTuner : IDisposable
{
    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(100);

    private readonly ITransport _transport;
    private readonly ThreadScratchPool _threads;
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private readonly Lock _gate = new();
    private readonly Dictionary<int, TimeSpan> _busyBefore = [];
    private IoThreadPolicy _policy = NewPolicy();
    private bool _isAutomatic;
    private long _timestamp;
    private long _commandsBefore;

    /// <summary>
    /// Begins to sample. The caller owns them, and disposes this first. Only epoll's threads are tuned: the sockets
    /// transport spreads over the thread pool by itself.
    /// </summary>
    public IoThreadTuner(ITransport transport, ThreadScratchPool threads, TimeProvider time, int ioThreads)
    {
        _transport = transport;
        _threads = threads;
        _time = time;
        _isAutomatic = IsAutomatic(ioThreads);
        _timer = time.CreateTimer(static state => ((IoThreadTuner)state!).Sample(), this, Period, Period);
    }

    /// <summary>Puts io-threads into force: a number fixes it, 0 hands it to the tuner.</summary>
    public void Set(int ioThreads)
    {
        lock (_gate)
        {
            _isAutomatic = IsAutomatic(ioThreads);
            _policy = NewPolicy();
            _transport.SetIoThreads(ioThreads);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _timer.Dispose();

    private bool IsAutomatic(int ioThreads) => ioThreads == 0 && _transport.Name == "epoll" && Environment.ProcessorCount > 1;

    private static IoThreadPolicy NewPolicy() => new(Environment.ProcessorCount);

    private void Sample()
    {
        lock (_gate)
        {
            if (!_isAutomatic)
                return;
            IReadOnlyList<IoThreadStatistics> threads = _transport.Statistics;
            long now = _time.GetTimestamp();
            double seconds = _timestamp == 0 ? 0 : _time.GetElapsedTime(_timestamp, now).TotalSeconds;
            double busy = BusySeconds(threads);
            long commands = _threads.CommandsProcessed;
            double rate = (commands - _commandsBefore) / Math.Max(seconds, 1e-3);
            (_timestamp, _commandsBefore) = (now, commands);
            if (seconds <= 0 || threads.Count == 0)
                return;
            int wanted = _policy.Next(threads.Count, Math.Min(1, busy / seconds / threads.Count), rate);
            if (wanted != threads.Count)
                _transport.SetIoThreads(wanted);
        }
    }

    // Threads are told apart by number: one that has just been added has no time before.
    private double BusySeconds(IReadOnlyList<IoThreadStatistics> threads)
    {
        double sum = 0;
        foreach (IoThreadStatistics thread in threads)
        {
            sum += (thread.BusyTime - _busyBefore.GetValueOrDefault(thread.Id)).TotalSeconds;
            _busyBefore[thread.Id] = thread.BusyTime;
        }

        return sum;
    }
}
