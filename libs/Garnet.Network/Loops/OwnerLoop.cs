// The owner of connections: runs their turns and posted callbacks one after another. A thread with its own epoll, or a serial queue on the
// thread pool. Everything here runs on the loop itself, except TryPost, the counters and the connection counts.
using System.Diagnostics;
using Garnet.Network.Buffers;
using Garnet.Network.Connections;

namespace Garnet.Network.Loops;

internal abstract class OwnerLoop
{
    [ThreadStatic]
    private static OwnerLoop? t_current;

    private const int StopTimeoutMs = 5000;

    // Larger replies are sent at once, so that they travel while the next request is executed.
    private const int MaxDeferredBytes = 16 * 1024;

    // Each occupies a block, and the blocks of more connections than this would no longer come from the pool.
    private const int MaxDeferredSends = 128;

    // A few dozen microseconds each under load.
    private const int MaxRoundsUntilLater = 8;

    private static readonly Action<object?> RetireCallback = static loop => ((OwnerLoop)loop!).BeginRetiring();
    private static readonly Action<object?> ShareCallback = static loop => ((OwnerLoop)loop!).ShareOut();
    private static readonly Action<object?> StopCallback = static loop => ((OwnerLoop)loop!).BeginStopping();

    private readonly PostQueue _posts = new();
    private readonly Queue<StreamConnection> _ready = new();
    private readonly List<StreamConnection> _sends = [];
    private readonly List<WorkItem> _later = [];
    private readonly List<StreamConnection> _moves = [];
    private readonly List<StreamConnection> _draining = [];
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly LoopTransport _transport;
    private int _connections;
    private Block? _bufferWithin; // the receive buffer of rounds within a turn, once there was one
    private int _roundsWithLater;
    private bool _retiring;
    private long _stopDeadline;

    internal readonly int Id;
    internal readonly TransportOptions Options;
    internal readonly BlockPool Blocks;
    internal readonly BlockCache Cache = new();
    internal readonly LoopCounters Counters = new();

    /// <summary>The receive buffer for every connection of the loop, one at a time.</summary>
    internal Block ReceiveBuffer;

    private protected OwnerLoop(int id, LoopTransport transport)
    {
        Id = id;
        _transport = transport;
        Options = transport.Options;
        Blocks = transport.Blocks;
        ReceiveBuffer = Blocks.Rent(Options.ReceiveBytesPerTurn);
    }

    /// <summary>The loop that the calling thread is running, if any.</summary>
    internal static OwnerLoop? Current
    {
        get => t_current;
        private protected set => t_current = value;
    }

    /// <summary>Connections assigned to the loop and not yet disposed.</summary>
    internal int Connections => Volatile.Read(ref _connections);

    internal abstract TimeSpan BusyTime { get; }

    internal IoThreadStatistics Statistics =>
        new(Id, Connections, Counters.Wakes, Counters.Reads, Counters.Writes, Counters.BytesIn, Counters.BytesOut, BusyTime);

    /// <summary>Completes when the loop has ended.</summary>
    internal Task Ended => _ended.Task;

    private protected bool HasReady => _ready.Count > 0;

    private protected bool HasPosts => !_posts.IsEmpty;

    private protected bool HasLater => _later.Count > 0;

    /// <summary>Milliseconds after which closing connections, or the end of the loop, must be checked; -1 for never.</summary>
    private protected int DeadlineWaitMs => _draining.Count == 0 && _stopDeadline == 0 ? -1 : 100;

    /// <summary>Makes the loop run soon. Called after a post, by any thread.</summary>
    private protected abstract void Wake();

    /// <summary>Whether the loop serves several connections before it waits again, calling <see cref="SendDeferred"/> in between.</summary>
    private protected virtual bool DefersSends => false;

    /// <summary>Starts watching a connection's socket.</summary>
    private protected abstract void Watch(StreamConnection connection);

    /// <summary>Stops watching it, without closing it.</summary>
    internal abstract void Unwatch(StreamConnection connection);

    /// <summary>The connections whose sockets are watched.</summary>
    private protected abstract void CopyWatched(List<StreamConnection> target);

    /// <summary>Counts a connection that will be attached, before the first post for it. False when the loop has ended.</summary>
    internal bool TryAssign()
    {
        lock (_posts.Gate)
        {
            if (_posts.Closed)
                return false;
            Interlocked.Increment(ref _connections);
            return true;
        }
    }

    /// <summary>Adds a connection, new or from another loop.</summary>
    internal void Attach(StreamConnection connection)
    {
        Watch(connection);
        if (_stopDeadline != 0)
            connection.Close();
        else if (_retiring)
            connection.RequestMove(_transport.ChooseLoop());
    }

    /// <summary>Moves all connections to other loops and ends. The transport must have removed the loop before.</summary>
    internal void Retire() => TryPost(null, RetireCallback, this);

    /// <summary>Gives away connections beyond a fair share.</summary>
    internal void Share() => TryPost(null, ShareCallback, this);

    /// <summary>Closes all connections and ends when their sessions have, or after five seconds.</summary>
    internal void Stop() => TryPost(null, StopCallback, this);

    /// <summary>The connection has been disposed: nothing may be posted to it any more.</summary>
    internal void Detach(StreamConnection connection)
    {
        lock (_posts.Gate)
        {
            connection.Detached = true;
            Interlocked.Decrement(ref _connections);
        }
    }

    /// <summary>Queues work. False when the loop has ended, or does not own the connection (any more).</summary>
    /// <param name="connection">The connection it is for; null for the loop's own work.</param>
    /// <param name="callback">What to run.</param>
    /// <param name="state">Its argument.</param>
    /// <param name="mayWait">
    /// Whether it may wait until the loop has nothing else to do, or has run some more rounds, if the caller is on the loop.
    /// </param>
    internal bool TryPost(StreamConnection? connection, Action<object?> callback, object? state, bool mayWait = false)
    {
        if (mayWait && Current == this && DefersSends)
        {
            _later.Add(new WorkItem(connection, callback, state));
            return true;
        }

        lock (_posts.Gate)
        {
            if (_posts.Closed || (connection is not null && (connection.Owner != this || connection.Detached)))
                return false;
            _posts.Add(new WorkItem(connection, callback, state));
        }
        Wake();
        return true;
    }

    /// <summary>Runs what can wait no longer.</summary>
    private protected void RunLater(bool isIdle)
    {
        if (_later.Count == 0 || (!isIdle && ++_roundsWithLater < MaxRoundsUntilLater))
            return;
        _roundsWithLater = 0;
        // Anything added meanwhile waits for the next time.
        int count = _later.Count;
        for (int i = 0; i < count; i++)
        {
            WorkItem item = _later[i];
            if (item.Connection!.Owner == this)
                item.Callback(item.State);
            else
                item.Connection.Post(item.Callback, item.State);
        }
        _later.RemoveRange(0, count);
    }

    /// <summary>Gives the connection a turn after those that are ready now.</summary>
    internal void AddReady(StreamConnection connection)
    {
        Debug.Assert(Current == this);
        if (connection.IsReady)
            return;
        connection.IsReady = true;
        _ready.Enqueue(connection);
    }

    /// <summary>
    /// Defers a small reply until all ready connections have been served: if each were sent at once, it would wake its client, and the loop
    /// would receive the clients' next requests one by one instead of together. False when the caller must send now. When very many are
    /// deferred, they are sent first.
    /// </summary>
    internal bool TryDeferSend(StreamConnection connection, long unsentBytes)
    {
        if (!DefersSends || unsentBytes > MaxDeferredBytes)
            return false;
        if (!connection.IsSendDeferred)
        {
            if (_sends.Count == MaxDeferredSends)
                SendDeferred();
            connection.IsSendDeferred = true;
            _sends.Add(connection);
        }
        return true;
    }

    /// <summary>Hands the connection over once no session code is on the stack.</summary>
    internal void AddMove(StreamConnection connection)
    {
        Debug.Assert(Current == this);
        if (!_moves.Contains(connection))
            _moves.Add(connection);
    }

    /// <summary>Monitors a closing connection until its replies are sent or its time is over.</summary>
    internal void AddDraining(StreamConnection connection) => _draining.Add(connection);

    /// <summary>The session keeps the receive buffer beyond its turn: the loop allocates another one.</summary>
    internal Block GiveReceiveBuffer()
    {
        Block given = ReceiveBuffer;
        ReceiveBuffer = Blocks.Rent(Options.ReceiveBytesPerTurn);
        return given;
    }

    /// <summary>
    /// Runs what was posted before the call, and one turn for each connection that was ready before the call: anything added meanwhile
    /// waits for the next round.
    /// </summary>
    private protected void RunRound()
    {
        Counters.Wakes++;
        RunPosts();
        if (HasPosts)
        {
            _posts.BeginTaking();
            RunPosts();
        }
        // A round within a turn may have served the rest.
        for (int left = _ready.Count; left > 0 && _ready.TryDequeue(out StreamConnection? connection); left--)
        {
            // An entry from before a move, or one already served: the flag belongs to the current owner.
            if (connection.Owner != this || !connection.IsReady)
                continue;
            connection.IsReady = false;
            connection.Turn();
        }
        if (_moves.Count > 0)
            RunMoves();
        if (_draining.Count > 0)
            CheckDraining();
    }

    /// <summary>
    /// Serves the other connections for one round while a session is on the stack, which goes on for long: what the interrupted round has
    /// not done yet, then what is new. The session keeps the receive buffer that it may be reading.
    /// </summary>
    internal void RunRoundWithin()
    {
        Debug.Assert(Current == this);
        Block lent = ReceiveBuffer;
        ReceiveBuffer = _bufferWithin ?? Blocks.Rent(Options.ReceiveBytesPerTurn);
        try
        {
            ServeWithin();
        }
        finally
        {
            _bufferWithin = ReceiveBuffer;
            ReceiveBuffer = lent;
        }
    }

    /// <summary>One round on the stack of another.</summary>
    private protected abstract void ServeWithin();

    private void RunPosts()
    {
        while (_posts.TryTake(out WorkItem item))
            item.Callback(item.State);
    }

    /// <summary>Sends deferred replies.</summary>
    private protected void SendDeferred()
    {
        foreach (StreamConnection connection in _sends)
        {
            connection.IsSendDeferred = false;
            // After a move, the new owner sends what it finds queued.
            if (connection.Owner == this)
                connection.Writer.SendDeferred();
        }
        _sends.Clear();
    }

    /// <summary>True when the loop is to stop: it was asked to end and has neither connections nor work.</summary>
    private protected bool TryEnd()
    {
        if (!_retiring && _stopDeadline == 0)
            return false;
        lock (_posts.Gate)
        {
            bool late = _stopDeadline != 0 && Environment.TickCount64 >= _stopDeadline;
            if ((_connections > 0 || HasPosts) && !late)
                return false;
            _posts.Close();
        }
        return true;
    }

    private protected void SetEnded()
    {
        BlockPool.Return(ReceiveBuffer);
        if (_bufferWithin is not null)
            BlockPool.Return(_bufferWithin);
        Cache.Clear();
        _ended.SetResult();
    }

    private void BeginRetiring()
    {
        _retiring = true;
        GiveAway(int.MaxValue);
    }

    private void ShareOut() => GiveAway(Connections - _transport.FairShare);

    private void GiveAway(int most)
    {
        List<StreamConnection> watched = Watched();
        List<OwnerLoop> places = _transport.PlacesFor(Math.Min(most, watched.Count));
        for (int i = 0; i < places.Count; i++)
            watched[i].RequestMove(places[i]);
    }

    private void BeginStopping()
    {
        _stopDeadline = Environment.TickCount64 + StopTimeoutMs;
        foreach (StreamConnection connection in Watched())
            connection.Close();
    }

    private List<StreamConnection> Watched()
    {
        var watched = new List<StreamConnection>();
        CopyWatched(watched);
        return watched;
    }

    private void RunMoves()
    {
        foreach (StreamConnection connection in _moves)
        {
            if (connection.Owner != this || connection.TakeMoveTarget() is not { } target || target == this)
                continue;
            HandOver(connection, target);
            if (_retiring && connection.Owner == this)
                connection.RequestMove(_transport.ChooseLoop());
        }
        _moves.Clear();
    }

    // No post may come in between: both queues are locked while the owner changes, and waiting items move along in order, after the
    // attaching.
    private void HandOver(StreamConnection connection, OwnerLoop target)
    {
        (OwnerLoop first, OwnerLoop second) = Id < target.Id ? (this, target) : (target, this);
        lock (first._posts.Gate)
        {
            lock (second._posts.Gate)
            {
                if (target._posts.Closed)
                    return; // the target has ended meanwhile; a retiring loop asks again below
                Unwatch(connection);
                connection.IsReady = false;
                connection.Owner = target;
                target._posts.Add(new WorkItem(connection, StreamConnection.AttachCallback, connection));
                _posts.MoveItems(connection, target._posts);
                Interlocked.Decrement(ref _connections);
                Interlocked.Increment(ref target._connections);
            }
        }
        target.Wake();
    }

    private void CheckDraining()
    {
        for (int i = _draining.Count - 1; i >= 0; i--)
        {
            if (_draining[i].CheckDraining())
                _draining.RemoveAt(i);
        }
    }
}
