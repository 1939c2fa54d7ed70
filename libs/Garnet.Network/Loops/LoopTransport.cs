// The common part of both transports: the owner loops, their number, and which one gets the next connection. Thread-safe.
using System.Net;
using Garnet.Network.Buffers;
using Microsoft.AspNetCore.Connections;
using Microsoft.Extensions.Logging;

namespace Garnet.Network.Loops;

/// <summary>A transport based on owner loops.</summary>
internal abstract class LoopTransport : ITransport
{
    /// <summary>More owners than this would not help.</summary>
    public const int MaxIoThreads = 1024;

    private readonly Lock _gate = new();
    private readonly List<StreamListener> _listeners = [];
    private readonly List<OwnerLoop> _retiring = [];
    private OwnerLoop[] _loops = [];
    private int _nextLoop;
    private int _nextId;
    private bool _disposed;

    private protected LoopTransport(TransportOptions options, ILoggerFactory loggers)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(options.IoThreads);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.IoThreads, MaxIoThreads);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.ReceiveBytesPerTurn, 1024);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.SendBytesPerTurn, 1024);
        Options = options;
        Log = loggers.CreateLogger(GetType());
        TcpOptions = new TcpOptions(options, Log);
    }

    /// <inheritdoc/>
    public abstract string Name { get; }

    /// <inheritdoc/>
    public int IoThreads => Volatile.Read(ref _loops) is { Length: > 0 } loops ? loops.Length : WantedLoops;

    /// <inheritdoc/>
    public IReadOnlyList<IoThreadStatistics> Statistics => Array.ConvertAll(Volatile.Read(ref _loops), static loop => loop.Statistics);

    /// <inheritdoc/>
    public long AllocatedBytes => Blocks.AllocatedBytes;

    internal TransportOptions Options { get; }

    internal TcpOptions TcpOptions { get; }

    internal BlockPool Blocks { get; } = new();

    internal ILogger Log { get; }

    /// <summary>Number of loops to start with when the options do not set it.</summary>
    private protected abstract int AutomaticLoops { get; }

    private int WantedLoops => Options.IoThreads == 0 ? AutomaticLoops : Options.IoThreads;

    /// <inheritdoc/>
    public abstract ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default);

    /// <inheritdoc/>
    public void SetTcpKeepAlive(int seconds)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(seconds);
        lock (_gate)
        {
            Options.TcpKeepAliveSeconds = seconds;
            foreach (StreamListener listener in _listeners)
                listener.KeepAliveChanged();
        }
    }

    /// <inheritdoc/>
    public void SetIoThreads(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, MaxIoThreads);
        lock (_gate)
        {
            Options.IoThreads = count;
            count = WantedLoops;
            if (_loops.Length == 0 || _disposed)
                return;
            OwnerLoop[] old = _loops;
            var loops = new OwnerLoop[count];
            for (int i = 0; i < count; i++)
                loops[i] = i < old.Length ? old[i] : StartLoop();
            Volatile.Write(ref _loops, loops);
            _retiring.RemoveAll(static loop => loop.Ended.IsCompleted);
            for (int i = count; i < old.Length; i++)
            {
                old[i].Retire();
                _retiring.Add(old[i]);
            }
            // The remaining loops give away connections beyond their fair share.
            foreach (OwnerLoop? loop in old.AsSpan(0, Math.Min(count, old.Length)))
                loop.Share();
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        OwnerLoop[] loops;
        StreamListener[] listeners;
        lock (_gate)
        {
            if (_disposed)
                return;
            _disposed = true;
            loops = [.. _loops, .. _retiring];
            listeners = _listeners.ToArray();
        }
        foreach (StreamListener listener in listeners)
            await listener.DisposeAsync().ConfigureAwait(false);
        foreach (OwnerLoop loop in loops)
            loop.Stop();
        foreach (OwnerLoop loop in loops)
            await loop.Ended.ConfigureAwait(false);
        Blocks.Close();
        GC.SuppressFinalize(this);
    }

    internal OwnerLoop? FindLoop(int id) => Array.Find(Volatile.Read(ref _loops), loop => loop.Id == id);

    /// <summary>Reserves a slot on the loop with the fewest connections; null when the transport has been stopped.</summary>
    internal OwnerLoop? AssignLoop()
    {
        while (true)
        {
            OwnerLoop loop = ChooseLoop();
            if (loop.TryAssign())
                return loop;
            // The loop retired at this moment, or all have ended.
            if (Volatile.Read(ref _disposed))
                return null;
        }
    }

    /// <summary>The loop with the fewest connections; ties are broken round-robin.</summary>
    internal OwnerLoop ChooseLoop()
    {
        OwnerLoop[] loops = Volatile.Read(ref _loops);
        int first = (int)((uint)Interlocked.Increment(ref _nextLoop) % (uint)loops.Length);
        OwnerLoop best = loops[first];
        for (int i = 1; i < loops.Length; i++)
        {
            OwnerLoop loop = loops[(first + i) % loops.Length];
            if (loop.Connections < best.Connections)
                best = loop;
        }
        return best;
    }

    /// <summary>Connections per loop if all had the same number, rounded up.</summary>
    internal int FairShare
    {
        get
        {
            OwnerLoop[] loops = Volatile.Read(ref _loops);
            return (loops.Sum(static loop => loop.Connections) + loops.Length - 1) / loops.Length;
        }
    }

    /// <summary>The loops that should receive this many connections, so that the counts become even.</summary>
    internal List<OwnerLoop> PlacesFor(int connections)
    {
        OwnerLoop[] loops = Volatile.Read(ref _loops);
        int[] counts = Array.ConvertAll(loops, static loop => loop.Connections);
        var places = new List<OwnerLoop>();
        for (; connections > 0; connections--)
        {
            int least = Array.IndexOf(counts, counts.Min());
            counts[least]++;
            places.Add(loops[least]);
        }
        return places;
    }

    internal void Remove(StreamListener listener)
    {
        lock (_gate)
            _listeners.Remove(listener);
    }

    /// <summary>Ensures that loops are running, and registers the new listener for closing.</summary>
    private protected StreamListener Register(Func<OwnerLoop, StreamListener> make)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            if (_loops.Length == 0)
            {
                var loops = new OwnerLoop[WantedLoops];
                for (int i = 0; i < loops.Length; i++)
                    loops[i] = StartLoop();
                Volatile.Write(ref _loops, loops);
            }
            StreamListener listener = make(_loops[0]); // never retires
            _listeners.Add(listener);
            return listener;
        }
    }

    private protected abstract OwnerLoop CreateLoop(int id);

    private OwnerLoop StartLoop() => CreateLoop(_nextId++);
}
