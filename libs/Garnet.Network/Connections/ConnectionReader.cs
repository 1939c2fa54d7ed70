// The reading end, directly on the socket. Bytes arrive in the owner loop's receive buffer; only what a session leaves unread is kept, in
// one rented block. Session members: one caller at a time, any thread; the operations they await complete on the owner. Internal members:
// owner only.
using System.Buffers;
using System.Diagnostics;
using System.IO.Pipelines;
using System.Threading.Tasks.Sources;
using Garnet.Network.Buffers;
using Garnet.Network.Features;

namespace Garnet.Network.Connections;

internal sealed unsafe class ConnectionReader : PipeReader, IValueTaskSource<ReadResult>, IDirectReceive
{
    // Unread bytes up to this share of the receive buffer are copied in front of the next bytes, so that a pipeline is received in large
    // pieces; more than that grows in its own block, so that a long request is not copied again with each receive.
    private const int CopiedShare = 4;

    // An unfinished request of this length ends the connection; the limit of sessions is far below this one, which protects the arithmetic.
    private const int LongestRest = 1 << 30;

    private const int NoLoan = 0;
    private const int Lent = 1;
    private const int Settling = 2;

    private static readonly Action<object?> Start = static r => ((ConnectionReader)r!).StartOnOwner();
    private static readonly Action<object?> Cancel = static r => ((ConnectionReader)r!).CancelOnOwner();

    private readonly StreamConnection _connection;
    private OwnerSignal _signal;
    private DirectReceive? _direct;
    private CancellationTokenRegistration _registration;
    private CancellationToken _token;

    // Unread bytes: _current[_start.._end). While lent, _current is the loop's receive buffer and _rest the block with the earlier bytes. A
    // session that left the owner may consume while the loop is just returning from it: whichever takes the loan first settles it.
    private Block? _current;
    private Block? _rest;
    private int _start;
    private int _end;
    private int _restStart;
    private int _restLength;
    private int _loan;
    private bool _examinedAll = true;
    private bool _pending;
    private bool _cancel;
    private bool _ended;

    internal ConnectionReader(StreamConnection connection) => _connection = connection;

    internal bool IsPending => _pending;

    internal bool IsReceivingDirectly => _direct is { IsPending: true };

    private bool IsOver => _connection.IsClosed || _connection.Detached;

    private bool CanTake => _cancel || _ended || IsOver || (_end > _start && !_examinedAll);

    // ---- Session ----

    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        if (_pending || IsReceivingDirectly)
            throw new InvalidOperationException("A read is already pending on this connection.");
        cancellationToken.ThrowIfCancellationRequested();
        bool onOwner = _connection.IsOnOwnerThread;
        if (onOwner && CanTake)
            return new ValueTask<ReadResult>(TakeResult());

        if (cancellationToken.CanBeCanceled)
            RegisterCancellation(cancellationToken);
        if (!onOwner)
            return new ValueTask<ReadResult>(this, _signal.BeginElsewhere(Start));
        short version = _signal.Begin();
        BeginWait();
        return new ValueTask<ReadResult>(this, version);
    }

    public override bool TryRead(out ReadResult result)
    {
        if (_pending || IsReceivingDirectly)
            throw new InvalidOperationException("A read is already pending on this connection.");
        result = CanTake ? TakeResult() : default;
        return result.IsCanceled || result.IsCompleted || !result.Buffer.IsEmpty;
    }

    public override void AdvanceTo(SequencePosition consumed) => AdvanceTo(consumed, consumed);

    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined)
    {
        if (_end == _start)
        {
            _examinedAll = true;
            return;
        }
        (int first, int seen) = ReadPositions.Within(_current, _start, _end, consumed, examined);
        _examinedAll = seen == _end;
        Consume(first);
    }

    public override void CancelPendingRead() => _connection.Post(Cancel, this);

    /// <summary>Discards unread bytes; the connection ends with its disposal.</summary>
    public override void Complete(Exception? exception = null) => Abandon();

    public ValueTask<long> ReceiveAsync(nint destination, long length)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(length, 1);
        if (_pending || IsReceivingDirectly)
            throw new InvalidOperationException("A read is already pending on this connection.");
        int copied = (int)Math.Min(length, _end - _start);
        if (copied > 0)
        {
            new ReadOnlySpan<byte>(_current!.Pointer + _start, copied).CopyTo(new Span<byte>((byte*)destination, copied));
            Consume(_start + copied);
            _examinedAll = false;
        }
        _direct ??= new DirectReceive(_connection);
        return _direct.Begin((byte*)destination, length, copied, ended: _ended);
    }

    // ---- Source of the pending read ----

    ReadResult IValueTaskSource<ReadResult>.GetResult(short token)
    {
        _signal.GetResult(token);
        return TakeResult();
    }

    ValueTaskSourceStatus IValueTaskSource<ReadResult>.GetStatus(short token) => _signal.GetStatus(token);

    void IValueTaskSource<ReadResult>.OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    )
    {
        if (!_signal.OnCompleted(_connection, this, continuation, state, token, flags))
            CompletePending();
    }

    // ---- Owner ----

    /// <summary>Receives once for the waiting operation, or completes it because the connection has ended. Top of the loop only.</summary>
    internal void Proceed()
    {
        if (_pending)
        {
            if (_connection.IsClosed || _ended)
                CompletePending();
            else
                Receive();
        }
        else if (IsReceivingDirectly)
        {
            if (_direct!.Proceed())
                _ended = true;
        }
    }

    /// <summary>The session has ended: releases the unread bytes.</summary>
    internal void Abandon()
    {
        Consume(_end);
    }

    private void StartOnOwner()
    {
        if (CanTake)
        {
            _pending = true;
            CompletePending();
        }
        else
        {
            BeginWait();
        }
    }

    private void BeginWait()
    {
        _pending = true;
        if (_connection.Readable)
            _connection.Owner.AddReady(_connection);
        else
            _connection.WantReadable();
        _connection.OfferMove();
    }

    private void CancelOnOwner()
    {
        if (_pending && _token.IsCancellationRequested)
        {
            _pending = false;
            EndRegistration();
            _signal.Fail(new OperationCanceledException());
            return;
        }
        _cancel = true;
        if (_pending)
            CompletePending();
    }

    private void RegisterCancellation(CancellationToken cancellationToken)
    {
        _token = cancellationToken;
        _registration = cancellationToken.UnsafeRegister(static r => ((ConnectionReader)r!).CancelPendingRead(), this);
    }

    private void EndRegistration()
    {
        _registration.Dispose();
        _registration = default;
        _token = default;
    }

    private void Receive()
    {
        int rest = _end - _start;
        Block buffer = _connection.Owner.ReceiveBuffer;
        int received;
        if (_current is null || rest <= buffer.Capacity / CopiedShare)
        {
            received = _connection.Receive(buffer.Pointer + rest, buffer.Capacity - rest);
            if (received > 0)
                Borrow(buffer, rest, received);
        }
        else if (rest >= LongestRest)
        {
            received = StreamConnection.Failed;
        }
        else
        {
            MakeRoom();
            received = _connection.Receive(_current.Pointer + _end, _current.Capacity - _end);
            if (received > 0)
                _end += received;
        }

        if (received == StreamConnection.WouldBlock)
        {
            _connection.WantReadable();
            return;
        }
        if (received > 0)
            _examinedAll = false;
        else if (received == 0)
            _ended = true;
        else
            _connection.Close();
        CompletePending();
    }

    private void CompletePending()
    {
        _pending = false;
        if (_token.CanBeCanceled)
            EndRegistration();
        _signal.Complete();
        // The session has run inline up to its next wait. If it did not say what it consumed, the buffer belongs to it from now on.
        if (Volatile.Read(ref _loan) != NoLoan)
            KeepBorrowed();
    }

    private ReadResult TakeResult()
    {
        bool canceled = _cancel;
        _cancel = false;
        ReadOnlySequence<byte> bytes = _end > _start ? new ReadOnlySequence<byte>(_current!.Slice(_start, _end - _start)) : default;
        return new ReadResult(bytes, canceled, _ended || IsOver);
    }

    // ---- Unread bytes ----

    // The new bytes are in the loop's buffer already, after space for the unread ones.
    private void Borrow(Block buffer, int rest, int received)
    {
        if (rest > 0)
            new ReadOnlySpan<byte>(_current!.Pointer + _start, rest).CopyTo(new Span<byte>(buffer.Pointer, rest));
        _rest = _current;
        _restStart = _start;
        _restLength = rest;
        _current = buffer;
        _loan = Lent;
        _start = 0;
        _end = rest + received;
    }

    private void KeepBorrowed()
    {
        if (!TakeLoan())
            return;
        Block given = _connection.Owner.GiveReceiveBuffer();
        Debug.Assert(given == _current);
        DropRest();
        Volatile.Write(ref _loan, NoLoan);
    }

    /// <summary>
    /// True when the caller settles the loan; false when it has been settled (after waiting for the few instructions or the one copy this
    /// takes).
    /// </summary>
    private bool TakeLoan()
    {
        if (Interlocked.CompareExchange(ref _loan, Settling, Lent) == Lent)
            return true;
        var spin = new SpinWait();
        while (Volatile.Read(ref _loan) != NoLoan)
            spin.SpinOnce();
        return false;
    }

    private void Consume(int start)
    {
        int left = _end - start;
        if (_loan != NoLoan && (_connection.IsOnOwnerThread || TakeLoan()))
        {
            KeepRest(start, left);
            Volatile.Write(ref _loan, NoLoan);
        }
        else if (left == 0)
        {
            if (_current is not null)
                BlockPool.Return(_current);
            _current = null;
            _start = _end = 0;
        }
        else
        {
            _start = start;
            if (left <= _current!.Capacity / 4 && _current.Capacity > BlockPool.SmallestBytes)
                ReplaceCurrent(left);
        }
    }

    // The loop takes its buffer back: unread bytes move to a block of the connection.
    private void KeepRest(int start, int left)
    {
        Block borrowed = _current!;
        if (left == 0)
        {
            DropRest();
            _current = null;
            _start = _end = 0;
            return;
        }
        if (start == 0 && _rest is not null && _restStart + left <= _rest.Capacity)
        {
            // An unfinished request that grew a little: only its new bytes are copied.
            new ReadOnlySpan<byte>(borrowed.Pointer + _restLength, left - _restLength).CopyTo(
                new Span<byte>(_rest.Pointer + _restStart + _restLength, left - _restLength)
            );
            _current = _rest;
            _start = _restStart;
            _end = _restStart + left;
            _rest = null;
            return;
        }
        DropRest();
        Block kept = _connection.Blocks.Rent(left);
        new ReadOnlySpan<byte>(borrowed.Pointer + start, left).CopyTo(new Span<byte>(kept.Pointer, left));
        _current = kept;
        _start = 0;
        _end = left;
    }

    private void DropRest()
    {
        if (_rest is null)
            return;
        BlockPool.Return(_rest);
        _rest = null;
    }

    private void MakeRoom()
    {
        int used = _end - _start;
        // Double the size: the bytes of a long request are copied once on average.
        if (_current!.Capacity - _end < Math.Min(used, 64 * 1024))
            ReplaceCurrent((int)Math.Min(used * 2L, LongestRest));
    }

    private void ReplaceCurrent(int capacity)
    {
        int used = _end - _start;
        Block block = _connection.Blocks.Rent(Math.Max(capacity, used));
        new ReadOnlySpan<byte>(_current!.Pointer + _start, used).CopyTo(new Span<byte>(block.Pointer, used));
        BlockPool.Return(_current);
        _current = block;
        _start = 0;
        _end = used;
    }
}
