// A serial queue on the thread pool that owns connections where there is no epoll. One pool thread at a time runs it; Wake may be called by
// any.
using System.Diagnostics;
using Garnet.Network.Connections;
using Garnet.Network.Loops;

namespace Garnet.Network.Sockets;

internal sealed class PoolLoop : OwnerLoop, IThreadPoolWorkItem
{
    // Rounds before other work of the pool gets its turn.
    private const int RoundsPerRun = 16;

    private readonly HashSet<StreamConnection> _watched = [];
    private readonly Timer _deadlines;
    private long _busyTicks;
    private int _scheduled;

    internal PoolLoop(int id, LoopTransport transport)
        : base(id, transport)
    {
        _deadlines = new Timer(static loop => ((PoolLoop)loop!).OnDeadline(), this, Timeout.Infinite, Timeout.Infinite);
    }

    internal override TimeSpan BusyTime => Stopwatch.GetElapsedTime(0, Volatile.Read(ref _busyTicks));

    void IThreadPoolWorkItem.Execute()
    {
        long started = Stopwatch.GetTimestamp();
        Current = this;
        int rounds = 0;
        do
        {
            RunRound();
        } while ((HasReady || HasPosts) && ++rounds < RoundsPerRun);
        bool ended = TryEnd();
        Current = null;
        Volatile.Write(ref _busyTicks, _busyTicks + Stopwatch.GetTimestamp() - started);
        if (ended)
        {
            _deadlines.Dispose();
            SetEnded();
            return; // stays scheduled: nothing runs any more
        }
        if (DeadlineWaitMs >= 0)
            _deadlines.Change(DeadlineWaitMs, Timeout.Infinite);
        bool more = HasReady;
        Volatile.Write(ref _scheduled, 0);
        Interlocked.MemoryBarrier();
        if (more || HasPosts)
            Wake();
    }

    private protected override void ServeWithin() => RunRound();

    private protected override void Wake()
    {
        if (Volatile.Read(ref _scheduled) == 0 && Interlocked.Exchange(ref _scheduled, 1) == 0)
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    private protected override void Watch(StreamConnection connection)
    {
        _watched.Add(connection);
        ((SocketConnection)connection).OnWatched();
    }

    internal override void Unwatch(StreamConnection connection) => _watched.Remove(connection);

    private protected override void CopyWatched(List<StreamConnection> target) => target.AddRange(_watched);

    private void OnDeadline() => Wake();
}
