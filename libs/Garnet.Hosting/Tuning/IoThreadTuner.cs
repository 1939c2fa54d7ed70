// Carries out io-threads 0: samples the I/O threads four times a second and lets the policy decide. Runs on the clock's thread, one sample at a time.
using Garnet.Network;
using Garnet.Server.Sessions;

namespace Garnet.Hosting.Tuning;

/// <summary>Starts with one I/O thread and adds or retires them by load. Does nothing while the number is fixed.</summary>
internal sealed class IoThreadTuner : IDisposable
{
    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(250);

    private readonly ITransport transport;
    private readonly RespServer server;
    private readonly TimeProvider time;
    private readonly ITimer timer;
    private readonly Lock gate = new();
    private readonly Dictionary<int, TimeSpan> busyBefore = [];
    private IoThreadPolicy policy = NewPolicy();
    private bool isAutomatic;
    private long timestamp;
    private long commandsBefore;

    /// <summary>Begins to sample. The caller owns transport and server, and disposes this first. Only epoll's threads are tuned: the sockets transport spreads over the thread pool by itself.</summary>
    public IoThreadTuner(ITransport transport, RespServer server, TimeProvider time, int ioThreads)
    {
        this.transport = transport;
        this.server = server;
        this.time = time;
        isAutomatic = IsAutomatic(ioThreads);
        timer = time.CreateTimer(static state => ((IoThreadTuner)state!).Sample(), this, Period, Period);
    }

    /// <summary>Puts io-threads into force: a number fixes it, 0 hands it to the tuner.</summary>
    public void Set(int ioThreads)
    {
        lock (gate)
        {
            isAutomatic = IsAutomatic(ioThreads);
            policy = NewPolicy();
            transport.SetIoThreads(ioThreads);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => timer.Dispose();

    private bool IsAutomatic(int ioThreads) => ioThreads == 0 && transport.Name == "epoll" && Environment.ProcessorCount > 1;

    private static IoThreadPolicy NewPolicy() => new(Environment.ProcessorCount);

    private void Sample()
    {
        lock (gate)
        {
            if (!isAutomatic)
                return;
            IReadOnlyList<IoThreadStatistics> threads = transport.Statistics;
            long now = time.GetTimestamp();
            double seconds = timestamp == 0 ? 0 : time.GetElapsedTime(timestamp, now).TotalSeconds;
            double busy = BusySeconds(threads);
            long commands = server.CommandsProcessed;
            double rate = (commands - commandsBefore) / Math.Max(seconds, 1e-3);
            (timestamp, commandsBefore) = (now, commands);
            if (seconds <= 0 || threads.Count == 0)
                return;
            int wanted = policy.Next(threads.Count, Math.Min(1, busy / seconds / threads.Count), rate);
            if (wanted != threads.Count)
                transport.SetIoThreads(wanted);
        }
    }

    // Threads are told apart by number: one that has just been added has no time before.
    private double BusySeconds(IReadOnlyList<IoThreadStatistics> threads)
    {
        double sum = 0;
        foreach (IoThreadStatistics thread in threads)
        {
            sum += (thread.BusyTime - busyBefore.GetValueOrDefault(thread.Id)).TotalSeconds;
            busyBefore[thread.Id] = thread.BusyTime;
        }

        return sum;
    }
}
