// A connection as Kestrel and a session see it; the derived classes handle its socket.
// Public members may be called by any thread; everything internal runs on the owner loop unless stated otherwise.
using System.Diagnostics;
using System.IO.Pipelines;
using Garnet.Network.Buffers;
using Garnet.Network.Features;
using Garnet.Network.Loops;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http.Features;

namespace Garnet.Network.Connections;

internal abstract unsafe class StreamConnection
    : ConnectionContext,
        IDuplexPipe,
        IConnectionAffinity,
        IConnectionHandle,
        IPeerProbe,
        IConnectionIdFeature,
        IConnectionTransportFeature,
        IConnectionItemsFeature,
        IConnectionLifetimeFeature,
        IConnectionEndPointFeature
{
    /// <summary>Result of a receive or send that would have to wait.</summary>
    internal const int WouldBlock = -1;

    /// <summary>Result of a receive or send on a broken connection.</summary>
    internal const int Failed = -2;

    internal static readonly Action<object?> AttachCallback = static c => ((StreamConnection)c!).Attach();
    private static readonly Action<object?> AbortCallback = static c => ((StreamConnection)c!).Close();
    private static readonly Action<object?> Dispose = static c => ((StreamConnection)c!).DisposeOnOwner();
    private static readonly Action<object?> Move = static c => ((StreamConnection)c!).OfferMove();
    private static readonly Action<object?> CancelToken = static cts => ((CancellationTokenSource)cts!).Cancel();
    private static long s_lastId;

    private readonly LoopTransport _transport;
    private readonly ConnectionReader _reader;
    private readonly ConnectionWriter _writer;
    private readonly long _id = Interlocked.Increment(ref s_lastId);

    private OwnerLoop _owner;
    private OwnerLoop? _moveTarget;
    private ConnectionFeatureSet? _features;
    private IDictionary<object, object?>? _items;
    private IDuplexPipe? _outerTransport;
    private string? _connectionId;
    private CancellationTokenSource? _closedSource;
    private CancellationToken? _closedOverride;
    private TaskCompletionSource? _disposed;
    private long _drainDeadline;
    private int _disposeRequested;
    private volatile bool _isClosed;
    private volatile bool _closedFired;
    private volatile bool _detached;

    private protected StreamConnection(LoopTransport transport, OwnerLoop owner)
    {
        _transport = transport;
        _owner = owner;
        _reader = new ConnectionReader(this);
        _writer = new ConnectionWriter(this);
    }

    /// <summary>Changes only with the gates of the old and the new owner held; may be read by any thread.</summary>
    internal OwnerLoop Owner
    {
        get => Volatile.Read(ref _owner);
        set => Volatile.Write(ref _owner, value);
    }

    /// <summary>Set with the owner's gate held when nothing may be posted any more.</summary>
    internal bool Detached
    {
        get => _detached;
        set => _detached = value;
    }

    /// <summary>In the owner's ready queue.</summary>
    internal bool IsReady { get; set; }

    /// <summary>In the owner's list of sends to be made before it waits.</summary>
    internal bool IsSendDeferred { get; set; }

    /// <summary>The socket may have bytes, an end of stream or an error to receive.</summary>
    internal bool Readable { get; set; }

    /// <summary>The socket is closed; written on the owner, read by any thread.</summary>
    internal bool IsClosed => _isClosed;

    // Asked again afterwards: the descriptor may have been closed meanwhile, and belong to another connection.
    public bool HasPeerLeft => IsClosed || AsksForPeer() || IsClosed;

    internal BlockPool Blocks => _transport.Blocks;

    internal ConnectionReader Reader => _reader;

    internal ConnectionWriter Writer => _writer;

    public bool IsOnOwnerThread => OwnerLoop.Current == Owner;

    public int OwnerId => Owner.Id;

    public override string ConnectionId
    {
        get => _connectionId ??= _id.ToString("x", null);
        set => _connectionId = value;
    }

    public override IFeatureCollection Features => _features ??= new ConnectionFeatureSet(this);

    public override IDictionary<object, object?> Items
    {
        get => _items ??= new Dictionary<object, object?>();
        set => _items = value;
    }

    public override IDuplexPipe Transport
    {
        get => _outerTransport ?? this;
        set => _outerTransport = value;
    }

    PipeReader IDuplexPipe.Input => _reader;

    PipeWriter IDuplexPipe.Output => _writer;

    public override CancellationToken ConnectionClosed
    {
        get => _closedOverride ?? GetClosedToken();
        set => _closedOverride = value;
    }

    // ---- The socket, implemented by the derived classes ----

    public abstract int Handle { get; }

    /// <summary>
    /// Receives what is available: a count, 0 at the end of the stream, <see cref="WouldBlock"/> or <see cref="Failed"/>. Never waits.
    /// </summary>
    internal abstract int Receive(byte* destination, int length);

    /// <summary>
    /// Sends one piece: the count accepted, <see cref="WouldBlock"/> or <see cref="Failed"/>. Never waits; a short count means that the
    /// socket is full.
    /// </summary>
    internal abstract long Send(byte* source, long length);

    /// <summary>
    /// Sends from a chain of blocks in one call; <paramref name="offered"/> returns how much of the budget the call could use.
    /// </summary>
    internal abstract long Send(Block chain, long budget, out long offered);

    /// <summary>A read is pending and the socket had nothing: ensures that <see cref="OnReadable"/> follows.</summary>
    internal abstract void WantReadable();

    /// <summary>The socket was full: ensures that <see cref="ConnectionWriter.OnWritable"/> follows.</summary>
    internal abstract void WantWritable();

    /// <summary>False while the kernel still uses a block of the send queue after the close.</summary>
    internal virtual bool MayReleaseOutput => true;

    /// <summary>False while a closed socket has outstanding completions.</summary>
    private protected virtual bool IsQuiet => true;

    /// <summary>True once neither side can send any more, although data from the peer may still be unread.</summary>
    private protected virtual bool IsBroken => false;

    /// <summary>Asks the system whether the peer has left; any thread.</summary>
    private protected abstract bool AsksForPeer();

    private protected abstract void CloseSocket();

    // ---- Owner ----

    public bool Post(Action<object?> callback, object? state) => Post(callback, state, mayWait: false);

    public bool PostLater(Action<object?> callback, object? state) => Post(callback, state, mayWait: true);

    private bool Post(Action<object?> callback, object? state, bool mayWait)
    {
        while (true)
        {
            OwnerLoop owner = Owner;
            if (owner.TryPost(this, callback, state, mayWait))
                return true;
            // Either the connection has moved meanwhile (try its new owner), or it or its loop has ended.
            if (_detached || owner == Owner)
                return false;
        }
    }

    public void ServeOthers() => Owner.RunRoundWithin();

    public bool RequestMove(int ownerId) => _transport.FindLoop(ownerId) is { } target && RequestMove(target);

    internal bool RequestMove(OwnerLoop target)
    {
        Volatile.Write(ref _moveTarget, target);
        return Post(Move, this);
    }

    /// <summary>The loop to move to, if the connection is between two batches now.</summary>
    internal OwnerLoop? TakeMoveTarget() =>
        IsWaiting && !_isClosed && _disposeRequested == 0 ? Interlocked.Exchange(ref _moveTarget, null) : null;

    internal void OfferMove()
    {
        if (Volatile.Read(ref _moveTarget) is not null && IsWaiting)
            Owner.AddMove(this);
    }

    /// <summary>The session waits only for its peer.</summary>
    private protected bool IsWaiting => _reader.IsPending || _reader.IsReceivingDirectly;

    private void Attach()
    {
        if (_isClosed)
            return;
        Owner.Attach(this);
        if (Readable || _writer.HasMoreToSend)
            Owner.AddReady(this);
    }

    /// <summary>
    /// Handles what became possible since the last turn. Pending operations complete here, with no session code on the stack.
    /// </summary>
    internal void Turn()
    {
        if (_writer.HasMoreToSend && !_isClosed)
            _writer.OnWritable();
        if (Readable || _isClosed || _reader.IsReceivingDirectly)
            _reader.Proceed();
        NotifyEnd();
        CompleteOutput();
    }

    /// <summary>The socket is writable again. Top of the loop only.</summary>
    internal void OnWritable()
    {
        _writer.OnWritable();
        CompleteOutput();
    }

    /// <summary>Completes operations that wait for sending.</summary>
    private protected void CompleteOutput()
    {
        _writer.CompleteWaiters();
        if (_drainDeadline != 0)
            CheckDraining();
    }

    /// <summary>The socket reports bytes, an end of stream or an error. Top of the loop only.</summary>
    internal void OnReadable()
    {
        Readable = true;
        _reader.Proceed();
        NotifyEnd();
    }

    // The end arrived together with the peer's last requests, and one of these waits for something other than the peer: nothing more is
    // read, so the session would never notice the end.
    private void NotifyEnd()
    {
        if (IsBroken && !IsWaiting && !_closedFired)
            FireConnectionClosed();
    }

    /// <summary>Closes the socket at once; pending operations complete at the next turn.</summary>
    internal void Close()
    {
        Debug.Assert(IsOnOwnerThread);
        if (_isClosed)
            return;
        _isClosed = true;
        Owner.Unwatch(this);
        CloseSocket();
        _writer.Discard();
        FireConnectionClosed();
        Owner.AddReady(this);
    }

    // ---- End ----

    public override void Abort(ConnectionAbortedException abortReason) => Post(AbortCallback, this);

    public override void Abort() => Post(AbortCallback, this);

    public override ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposeRequested, 1) == 0)
        {
            _disposed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            if (!Post(Dispose, this))
                _disposed.SetResult(); // the loop has ended, and its socket is closed
        }
        return _disposed is { } disposed ? new ValueTask(disposed.Task) : default;
    }

    private void DisposeOnOwner()
    {
        _reader.Abandon();
        _writer.FlushLast();
        if (_isClosed || _writer.IsDrained)
            Close();
        if (_isClosed && IsQuiet)
        {
            Finish();
            return;
        }
        // Replies are still being sent: the socket stays open until they are gone, for a bounded time.
        _drainDeadline = Environment.TickCount64 + Owner.Options.CloseDrainTimeoutMs;
        Owner.AddDraining(this);
    }

    /// <summary>True when the connection is finished: its replies are sent, the time is over, or it is broken.</summary>
    internal bool CheckDraining()
    {
        if (_drainDeadline != 0 && (_isClosed || _writer.IsDrained || Environment.TickCount64 >= _drainDeadline))
        {
            Close();
            if (IsQuiet)
                Finish();
        }
        return _drainDeadline == 0;
    }

    private void Finish()
    {
        _drainDeadline = 0;
        Owner.Detach(this);
        _disposed!.TrySetResult();
    }

    /// <summary>Signals that the peer is gone or the socket closed.</summary>
    internal void FireConnectionClosed()
    {
        _closedFired = true;
        // Full fence: either we see the source, or its creator sees the flag.
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _closedSource) is { IsCancellationRequested: false } source)
            ThreadPool.UnsafeQueueUserWorkItem(CancelToken, source, preferLocal: false);
    }

    private CancellationToken GetClosedToken()
    {
        if (_closedSource is null)
        {
            Interlocked.CompareExchange(ref _closedSource, new CancellationTokenSource(), null);
            Interlocked.MemoryBarrier();
            if (_closedFired)
                _closedSource.Cancel();
        }
        return _closedSource.Token;
    }
}
