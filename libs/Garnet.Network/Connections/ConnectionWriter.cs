// The writing end, directly on the socket: blocks are rented per batch, a flush sends at once, and what the socket does not accept waits in
// a queue. Session members: one caller at a time, any thread; a flush from another thread hops to the owner. Only the owner touches the
// queue.
using System.Diagnostics;
using System.IO.Pipelines;
using System.Threading.Tasks.Sources;
using Garnet.Network.Buffers;
using Garnet.Network.Features;

namespace Garnet.Network.Connections;

internal sealed unsafe class ConnectionWriter : PipeWriter, IValueTaskSource<FlushResult>, IReferencedSend, IOutputBacklog
{
    private const int FirstBlockBytes = 16 * 1024;
    private const int LargestBlockBytes = 64 * 1024;

    private static readonly Action<object?> FlushCallback = static w => ((ConnectionWriter)w!).FlushForSession();

    private readonly StreamConnection _connection;

    // Session: the batch not flushed yet. It may begin in the last block of the queue (_appended), whose end is then stored here until the
    // flush.
    private Block? _first;
    private Block? _last;
    private Block? _open;
    private Block? _appended;
    private int _used;
    private int _appendedEnd;
    private int _nextBlockBytes = FirstBlockBytes;
    private long _written;

    // Owner: what has been flushed and waits for the socket.
    private Block? _head;
    private Block? _tail;
    private long _sent;
    private long _queuedTo;
    private bool _socketFull;

    private OwnerSignal _signal;
    private DrainWait? _drain;

    internal ConnectionWriter(StreamConnection connection) => _connection = connection;

    public long UnsentBytes => Math.Max(0, Volatile.Read(ref _written) - Volatile.Read(ref _sent));

    public override bool CanGetUnflushedBytes => true;

    public override long UnflushedBytes => _written - Volatile.Read(ref _queuedTo);

    // ---- Session ----

    public override Span<byte> GetSpan(int sizeHint = 0)
    {
        Block? open = _open;
        if (open is null || open.Capacity - _used < Math.Max(sizeHint, 1))
            open = OpenBlock(Math.Max(sizeHint, 1));
        return new Span<byte>(open.Pointer + _used, open.Capacity - _used);
    }

    public override Memory<byte> GetMemory(int sizeHint = 0)
    {
        Block? open = _open;
        if (open is null || open.Capacity - _used < Math.Max(sizeHint, 1))
            open = OpenBlock(Math.Max(sizeHint, 1));
        return open.Slice(_used, open.Capacity - _used);
    }

    public override void Advance(int bytes)
    {
        if (bytes == 0)
            return;
        if (_open is null || (uint)bytes > (uint)(_open.Capacity - _used))
            throw new ArgumentOutOfRangeException(nameof(bytes));
        _used += bytes;
        Volatile.Write(ref _written, _written + bytes);
    }

    public void SendReferenced(nint block, long length, ISendOwner owner, nint token)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, int.MaxValue);
        CloseBlock();
        Block reference = BlockPool.RentReference();
        reference.Refer(block, length, owner, token);
        Link(reference);
        Volatile.Write(ref _written, _written + length);
        // Between large values there are only a few bytes of framing: a small block suffices.
        _nextBlockBytes = BlockPool.SmallestBytes;
    }

    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (!_connection.IsOnOwnerThread)
            return new ValueTask<FlushResult>(this, _signal.BeginElsewhere(FlushCallback));
        Flush();
        return new ValueTask<FlushResult>(new FlushResult(isCanceled: false, isCompleted: _connection.IsClosed));
    }

    /// <summary>Nothing to do: no flush waits for the peer, and the connection's disposal sends the rest.</summary>
    public override void CancelPendingFlush() { }

    /// <summary>What has been written is sent when the connection is disposed.</summary>
    public override void Complete(Exception? exception = null) { }

    public ValueTask DrainAsync()
    {
        DrainWait wait = _drain ??= new DrainWait(_connection);
        return wait.Begin(this);
    }

    FlushResult IValueTaskSource<FlushResult>.GetResult(short token)
    {
        _signal.GetResult(token);
        return new FlushResult(isCanceled: false, isCompleted: _connection.IsClosed || _connection.Detached);
    }

    ValueTaskSourceStatus IValueTaskSource<FlushResult>.GetStatus(short token) => _signal.GetStatus(token);

    void IValueTaskSource<FlushResult>.OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    )
    {
        if (!_signal.OnCompleted(_connection, this, continuation, state, token, flags))
            _signal.Complete();
    }

    private Block OpenBlock(int bytes)
    {
        CloseBlock();
        // The small replies of a slow reader fill the block that is queued already; otherwise each would occupy its own block.
        if (
            _first is null
            && _appended is null
            && _connection.IsOnOwnerThread
            && _tail is { SizeClass: not Block.Reference } tail
            && tail.Capacity - tail.End >= bytes
        )
        {
            tail.Appending = true;
            _appended = _open = tail;
            _used = (int)tail.End;
            return tail;
        }
        Block block = _connection.Blocks.Rent(Math.Max(bytes, _nextBlockBytes));
        _nextBlockBytes = Math.Min(_nextBlockBytes * 2, LargestBlockBytes);
        Link(block);
        _open = block;
        _used = 0;
        return block;
    }

    private void CloseBlock()
    {
        if (_open is null)
            return;
        // The end of a queued block belongs to the owner, which learns of it with the flush.
        if (_open == _appended)
            _appendedEnd = _used;
        else
            _open.End = _used;
        _open = null;
    }

    private void Link(Block block)
    {
        if (_first is null)
            _first = block;
        else
            _last!.Next = block;
        _last = block;
    }

    // ---- Owner ----

    /// <summary>The queue is not empty and the socket accepts more: another turn is due.</summary>
    internal bool HasMoreToSend => !_socketFull && !IsDrained;

    internal bool IsDrained => Volatile.Read(ref _sent) == _queuedTo;

    internal long SentBytes => Volatile.Read(ref _sent);

    internal long FlushedBytes => Volatile.Read(ref _queuedTo);

    /// <summary>First block of the queue.</summary>
    internal Block? Head => _head;

    /// <summary>An asynchronous send has sent this much.</summary>
    internal void OnSent(int sent)
    {
        Volatile.Write(ref _sent, _sent + sent);
        RemoveSent(sent);
        OnWritable();
    }

    /// <summary>The socket is writable again.</summary>
    internal void OnWritable()
    {
        _socketFull = false;
        if (_head is not null)
            SendQueue();
    }

    /// <summary>Sends what the loop deferred while it served other connections.</summary>
    internal void SendDeferred()
    {
        if (!_connection.IsClosed && !_socketFull && _head is not null)
            SendQueue();
    }

    /// <summary>Sends what the session left when it ended.</summary>
    internal void FlushLast() => Flush();

    /// <summary>Completes operations that wait for sending. Top of the loop only.</summary>
    internal void CompleteWaiters() => _drain?.Proceed(this);

    /// <summary>The connection is closed: releases everything queued, unless the kernel still reads from it.</summary>
    internal void Discard()
    {
        if (!_connection.MayReleaseOutput)
            return;
        while (_head is { } block)
        {
            _head = block.Next;
            // The session still writes into the last one; once removed from the queue, it is released by the session's flush.
            if (block.Appending)
                block.Appending = false;
            else
                BlockPool.ReleaseSent(block);
        }
        _tail = null;
        _socketFull = false;
        Volatile.Write(ref _sent, _queuedTo);
    }

    private void FlushForSession()
    {
        Flush();
        _signal.Complete();
    }

    private void Flush()
    {
        if (_first is null && _appended is null)
            return;
        Debug.Assert(_connection.IsOnOwnerThread);
        CloseBlock();
        Enqueue();
        if (_connection.IsClosed)
            Discard();
        else if (!_socketFull && _head is not null && !_connection.Owner.TryDeferSend(_connection, _queuedTo - _sent))
            SendQueue();
    }

    private void Enqueue()
    {
        if (_appended is { } appended)
        {
            _appended = null;
            if (appended.Appending)
            {
                appended.Appending = false;
                appended.End = _appendedEnd;
            }
            else
            {
                BlockPool.Return(appended);
            }
        }
        if (_first is not null)
        {
            if (_tail is null)
                _head = _first;
            else
                _tail.Next = _first;
            _tail = _last;
        }
        _first = _last = null;
        _nextBlockBytes = FirstBlockBytes;
        Volatile.Write(ref _queuedTo, _written);
    }

    private void SendQueue()
    {
        int budget = _connection.Owner.Options.SendBytesPerTurn;
        Block head = _head!;
        long offered = head.End - head.Start;
        long sent =
            head.Next is null && offered <= budget
                ? (offered == 0 ? 0 : _connection.Send(head.Pointer + head.Start, offered))
                : _connection.Send(head, budget, out offered);
        if (sent == StreamConnection.Failed)
        {
            _connection.Close();
            return;
        }
        sent = Math.Max(sent, 0);
        Volatile.Write(ref _sent, _sent + sent);
        RemoveSent(sent);
        if (sent < offered)
        {
            _socketFull = true;
            _connection.WantWritable();
        }
        if (HasTurnDue)
            _connection.Owner.AddReady(_connection);
    }

    // More than the budget is left, or an operation waits for what has been sent now.
    private bool HasTurnDue => (!_socketFull && _sent < _queuedTo) || (_drain is { } drain && drain.IsReached(_sent));

    private void RemoveSent(long sent)
    {
        while (_head is { } block)
        {
            long length = block.End - block.Start;
            if (sent < length)
            {
                block.Start += sent;
                return;
            }
            sent -= length;
            block.Start = block.End;
            if (block.Appending)
                return;
            _head = block.Next;
            if (_head is null)
                _tail = null;
            BlockPool.ReleaseSent(block);
        }
    }
}
