// The reader of an in-process client's requests, which shows when the session waits for the next one.
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;

namespace Garnet.Server.Tests;

/// <summary>
/// Reads from a pipe, and knows whether the session has subscribed to it: from then on, what a test sends runs on the test's own thread.
/// A session whose command was finished by another thread gets there some time after its reply.
/// </summary>
internal sealed class WatchedReader : PipeReader, IValueTaskSource<ReadResult>
{
    private readonly PipeReader _inner;
    private readonly InProcessConnection _connection;
    private readonly Action _resume;
    private ConfiguredValueTaskAwaitable<ReadResult>.ConfiguredValueTaskAwaiter _pending;
    private Action<object?>? _continuation;
    private object? _state;
    private volatile int _read;
    private volatile int _subscribed;
    private volatile int _resumed;

    public WatchedReader(PipeReader inner, InProcessConnection connection)
    {
        _inner = inner;
        _connection = connection;
        _resume = Resume;
    }

    /// <summary>Whether the session waits for its next request.</summary>
    public bool IsAwaited => _subscribed == _read && _resumed != _read;

    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        ValueTask<ReadResult> read = _inner.ReadAsync(cancellationToken);
        if (read.IsCompleted)
            return read;
        _read++;
        _pending = read.ConfigureAwait(false).GetAwaiter();
        return new ValueTask<ReadResult>(this, 0);
    }

    public override bool TryRead(out ReadResult result) => _inner.TryRead(out result);

    public override void AdvanceTo(SequencePosition consumed) => _inner.AdvanceTo(consumed);

    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined) => _inner.AdvanceTo(consumed, examined);

    // On the thread that owns the connection, like an I/O thread's reader.
    public override void CancelPendingRead()
    {
        if (_connection.Owner is { IsCurrent: false } owner)
            owner.Post(static reader => ((PipeReader)reader!).CancelPendingRead(), _inner);
        else
            _inner.CancelPendingRead();
    }

    public override void Complete(Exception? exception = null) => _inner.Complete(exception);

    ReadResult IValueTaskSource<ReadResult>.GetResult(short token) => _pending.GetResult();

    ValueTaskSourceStatus IValueTaskSource<ReadResult>.GetStatus(short token) =>
        _pending.IsCompleted ? ValueTaskSourceStatus.Succeeded : ValueTaskSourceStatus.Pending;

    void IValueTaskSource<ReadResult>.OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    )
    {
        _continuation = continuation;
        _state = state;
        int read = _read;
        _pending.UnsafeOnCompleted(_resume);
        // A read that completed meanwhile has resumed the session within the call, and later reads may have begun.
        _subscribed = Math.Max(read, _subscribed);
    }

    private void Resume()
    {
        _resumed = _read;
        _continuation!(_state);
    }
}
