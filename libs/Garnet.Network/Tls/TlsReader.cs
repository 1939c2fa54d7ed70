// The decrypted side of a TLS connection, for reading. Session members: one caller at a time; the operations they await complete on the
// owner. The rest: owner only.
using System.Buffers;
using System.IO.Pipelines;
using System.Net.Security;
using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;
using Garnet.Network.Buffers;
using Garnet.Network.Connections;
using Garnet.Network.Features;

namespace Garnet.Network.Tls;

/// <summary>
/// Unread bytes are kept in one rented block, so that a session sees one segment. While the peer sends nothing, no block is rented. A
/// cancelled read leaves its receive pending; the next read continues with it.
/// </summary>
internal sealed class TlsReader : PipeReader, IValueTaskSource<ReadResult>, IDirectReceive
{
    private const int MinRoomBytes = 4 * 1024;

    // An unfinished request of this length ends the connection; the limit of sessions is far below this one, which protects the arithmetic.
    private const int LongestRest = 1 << 30;

    private static readonly Action<object?> Cancel = static reader => ((TlsReader)reader!).CancelOnOwner();

    private readonly SslStream _stream;
    private readonly CipherStream _cipher;
    private readonly StreamConnection _owner;
    private readonly Action _onFilled;
    private ManualResetValueTaskSourceCore<bool> _signal;
    private ConfiguredValueTaskAwaitable<int>.ConfiguredValueTaskAwaiter _fill;
    private TaskCompletionSource? _filled;
    private IOException? _failure;
    private Block? _block;
    private int _start;
    private int _end;
    private bool _examinedAll = true;
    private bool _isFilling;
    private bool _isPending;
    private bool _isCanceled;
    private bool _hasEnded;

    internal TlsReader(SslStream stream, CipherStream cipher, StreamConnection owner)
    {
        _stream = stream;
        _cipher = cipher;
        _owner = owner;
        _onFilled = OnFilled;
    }

    /// <summary>The peer ended or broke the connection.</summary>
    internal bool IsOver => _hasEnded || _failure is not null;

    private bool CanTake => _isCanceled || IsOver || (_end > _start && !_examinedAll);

    // ---- Session ----

    /// <summary>Reads; the token is checked only before the read, since a read is ended by <see cref="CancelPendingRead"/>.</summary>
    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (_isPending)
            throw new InvalidOperationException("A read is already pending on this connection.");
        if (!_owner.IsOnOwnerThread)
            return ReadElsewhereAsync();
        if (CanTake || (!_isFilling && Fill()))
            return new ValueTask<ReadResult>(TakeResult());
        _signal.Reset();
        _isPending = true;
        return new ValueTask<ReadResult>(this, _signal.Version);
    }

    public override bool TryRead(out ReadResult result)
    {
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

        (int first, int seen) = ReadPositions.Within(_block, _start, _end, consumed, examined);
        _examinedAll = seen == _end;
        Consume(first);
    }

    public override void CancelPendingRead() => _owner.Post(Cancel, this);

    /// <summary>Nothing to do: the end of the connection frees unread bytes.</summary>
    public override void Complete(Exception? exception = null) { }

    public ValueTask<long> ReceiveAsync(nint destination, long length)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(length, 1);
        if (_isPending)
            throw new InvalidOperationException("A read is already pending on this connection.");
        return ReceiveIntoAsync(destination, length);
    }

    ReadResult IValueTaskSource<ReadResult>.GetResult(short token)
    {
        _signal.GetResult(token);
        return TakeResult();
    }

    ValueTaskSourceStatus IValueTaskSource<ReadResult>.GetStatus(short token) => _signal.GetStatus(token);

    // The caller's scheduling context is ignored: the session continues on the owner.
    void IValueTaskSource<ReadResult>.OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    ) => _signal.OnCompleted(continuation, state, token, flags & ~ValueTaskSourceOnCompletedFlags.UseSchedulingContext);

    private async ValueTask<ReadResult> ReadElsewhereAsync()
    {
        await new OwnerSwitch(_owner);
        return await ReadAsync().ConfigureAwait(false);
    }

    private ReadResult TakeResult()
    {
        if (_failure is not null)
            throw new IOException(_failure.Message, _failure);
        bool canceled = _isCanceled;
        _isCanceled = false;
        ReadOnlySequence<byte> bytes = _end > _start ? new ReadOnlySequence<byte>(_block!.Slice(_start, _end - _start)) : default;
        return new ReadResult(bytes, canceled, _hasEnded);
    }

    private async ValueTask<long> ReceiveIntoAsync(nint destination, long length)
    {
        await new OwnerSwitch(_owner);
        if (_end == _start && _isFilling)
            await FillEndAsync().ConfigureAwait(false);
        int received = (int)Math.Min(length, _end - _start);
        if (received > 0)
            TakeInto(destination, received);
        var place = new BorrowedMemory(destination, length);
        while (received < length && !IsOver)
        {
            if (_isFilling)
            {
                // The pending receive of a cancelled read comes first.
                await FillEndAsync().ConfigureAwait(false);
                int more = (int)Math.Min(length - received, _end - _start);
                TakeInto(destination + received, more);
                received += more;
                continue;
            }

            int read = await _stream.ReadAsync(place.Memory[received..]).ConfigureAwait(false);
            _hasEnded = read == 0;
            received += read;
        }

        return received;
    }

    private unsafe void TakeInto(nint destination, int count)
    {
        if (count == 0)
            return;
        new ReadOnlySpan<byte>(_block!.Pointer + _start, count).CopyTo(new Span<byte>((byte*)destination, count));
        Consume(_start + count);
        _examinedAll = false;
    }

    // ---- Owner ----

    /// <summary>Ends pending operations and returns the block.</summary>
    internal async ValueTask EndAsync()
    {
        if (_isFilling)
        {
            _cipher.EndReading();
            await FillEndAsync().ConfigureAwait(false);
        }

        Consume(_end);
    }

    private Task FillEndAsync() => (_filled ??= new TaskCompletionSource()).Task;

    private void CancelOnOwner()
    {
        _isCanceled = true;
        if (_isPending)
            CompletePending();
    }

    /// <summary>Receives; true when bytes are available at once.</summary>
    private bool Fill()
    {
        _isFilling = true;
        ConfiguredValueTaskAwaitable<int>.ConfiguredValueTaskAwaiter fill = FillAsync().ConfigureAwait(false).GetAwaiter();
        if (fill.IsCompleted)
        {
            EndFill(fill);
            return true;
        }

        _fill = fill;
        fill.UnsafeOnCompleted(_onFilled);
        return false;
    }

    // A zero-byte read waits for a record without occupying memory.
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> FillAsync()
    {
        await _stream.ReadAsync(Memory<byte>.Empty).ConfigureAwait(false);
        Block block = MakeRoom();
        return await _stream.ReadAsync(block.Slice(_end, block.Capacity - _end)).ConfigureAwait(false);
    }

    private void OnFilled()
    {
        ConfiguredValueTaskAwaitable<int>.ConfiguredValueTaskAwaiter fill = _fill;
        _fill = default;
        EndFill(fill);
        if (_filled is { } waiter)
        {
            _filled = null;
            waiter.SetResult();
        }
        else if (_isPending)
        {
            CompletePending();
        }
    }

    private void EndFill(ConfiguredValueTaskAwaitable<int>.ConfiguredValueTaskAwaiter fill)
    {
        _isFilling = false;
        try
        {
            int count = fill.GetResult();
            _hasEnded = count == 0;
            _end += count;
            _examinedAll &= count == 0;
        }
        catch (IOException broken)
        {
            // Reported to the session by its next read, even if a cancelled read left no waiter.
            _failure = broken;
        }

        if (_start == _end)
            Consume(_end);
    }

    private void CompletePending()
    {
        _isPending = false;
        _signal.SetResult(true);
    }

    // The block stays in place while bytes are being received into it.
    private void Consume(int start)
    {
        _start = start;
        if (_start < _end || _isFilling)
            return;
        if (_block is not null)
            BlockPool.Return(_block);
        _block = null;
        _start = _end = 0;
    }

    private unsafe Block MakeRoom()
    {
        if (_block is null)
            return _block = _owner.Blocks.Rent(TlsOptions.RecordBytes);
        int used = _end - _start;
        if (_block.Capacity - _end >= Math.Clamp(used, MinRoomBytes, 64 * 1024))
            return _block;
        if (used >= LongestRest)
            throw new IOException("The request is too long.");
        // Double the size: the bytes of a long request are copied once on average.
        Block larger = _owner.Blocks.Rent((int)Math.Min(Math.Max(used * 2L, TlsOptions.RecordBytes + (long)used), int.MaxValue / 2));
        new ReadOnlySpan<byte>(_block.Pointer + _start, used).CopyTo(new Span<byte>(larger.Pointer, used));
        BlockPool.Return(_block);
        _start = 0;
        _end = used;
        return _block = larger;
    }
}
