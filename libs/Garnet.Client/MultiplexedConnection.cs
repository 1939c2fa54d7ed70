// One connection shared by many callers: requests are sent in the order of the calls, and replies arrive in the same order. Thread-safe.
using System.Text;
using Garnet.Protocol;

namespace Garnet.Client;

/// <summary>
/// Callers append to one buffer under a lock. A caller that finds no send in progress starts one, which continues until the buffer is
/// empty, so that concurrent calls are sent together. A separate loop reads replies and completes the calls. When other calls are in
/// flight, the send is queued to the thread pool: callers whose replies arrived in the same read are queued ahead of it, so their next
/// requests go out in the same write.
/// </summary>
internal sealed class MultiplexedConnection : IAsyncDisposable
{
    private const int MinReceiveBytes = 64 * 1024;
    private static readonly TimeSpan TimeoutCheckInterval = TimeSpan.FromMilliseconds(250);

    private readonly Stream _stream;
    private readonly RespMultiplexerOptions _options;
    private readonly ConnectionHooks _hooks;
    private readonly ReplyParser _parser = new();
    private readonly Lock _gate = new();
    private readonly Queue<IPendingReply> _calls = new();
    private readonly CancellationTokenSource _ending = new();
    private readonly ITimer _clock;
    private readonly Task _reading;
    private ReplyBuffer _outgoing = new();
    private ReplyBuffer _sending = new();
    private TaskCompletionSource? _room;
    private bool _isSending;
    private volatile int _callersAtOnce;
    private Exception? _failure;

    public MultiplexedConnection(Stream stream, RespMultiplexerOptions options, ConnectionHooks hooks)
    {
        _stream = stream;
        _options = options;
        _hooks = hooks;
        _clock = options.TimeProvider.CreateTimer(
            static state => ((MultiplexedConnection)state!).EndIfLate(),
            this,
            TimeoutCheckInterval,
            TimeoutCheckInterval
        );
        _reading = ReadAsync();
    }

    /// <summary>Whether calls can still be made.</summary>
    public bool IsAlive => Volatile.Read(ref _failure) is null;

    /// <summary>
    /// Sends a request and returns its reply; null when the buffer of unsent requests is full or the connection has ended. Await
    /// <see cref="SpaceAsync"/> then.
    /// </summary>
    public Task<RespValue>? TryCall(ReadOnlySpan<ReadOnlyMemory<byte>> arguments, bool throwsErrors, CancellationToken cancellationToken)
    {
        PendingCall call = new(_options.TimeProvider.GetTimestamp(), throwsErrors);
        SendStart start;
        lock (_gate)
        {
            if (!HasSpace)
                return null;
            Append(arguments);
            _calls.Enqueue(call);
            start = BeginSend(requests: 1);
        }

        Send(start);
        return call.WithCancellation(cancellationToken);
    }

    /// <summary>As <see cref="TryCall"/>, for requests that are sent together.</summary>
    public Task<RespValue[]>? TryCallAll(ReadOnlyMemory<byte>[][] requests)
    {
        PendingBatch batch = new(_options.TimeProvider.GetTimestamp(), requests.Length);
        SendStart start;
        lock (_gate)
        {
            if (!HasSpace)
                return null;
            foreach (ReadOnlyMemory<byte>[] arguments in requests)
            {
                Append(arguments);
                _calls.Enqueue(batch);
            }

            start = BeginSend(requests.Length);
        }

        Send(start);
        return batch.Task;
    }

    /// <summary>Subscribes over RESP3, where the reply is a push for each channel. It is sent with the next call.</summary>
    public void Subscribe(IReadOnlyList<string> channels)
    {
        ReadOnlyMemory<byte>[] arguments = [.. channels.Prepend("SUBSCRIBE").Select(static text => Encoding.UTF8.GetBytes(text))];
        lock (_gate)
            Append(arguments);
    }

    /// <summary>Completes when there is space for another request.</summary>
    /// <exception cref="RespConnectionException">The connection has ended.</exception>
    public Task SpaceAsync()
    {
        lock (_gate)
        {
            if (_failure is not null)
                return Task.FromException(Lost());
            if (_outgoing.Written.Length <= _options.MaxUnsentBytes)
                return Task.CompletedTask;
            return (_room ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        End(new ObjectDisposedException(nameof(RespMultiplexer)));
        await _reading.ConfigureAwait(false);
        _ending.Dispose();
    }

    private void Append(ReadOnlySpan<ReadOnlyMemory<byte>> arguments)
    {
        RespWriter writer = new(_outgoing, 2);
        writer.WriteArray(arguments.Length);
        foreach (ReadOnlyMemory<byte> argument in arguments)
            writer.WriteBulk(argument.Span);
        writer.Complete();
    }

    private bool HasSpace => _failure is null && _outgoing.Written.Length <= _options.MaxUnsentBytes;

    // Under the lock, by a caller that has appended this many requests.
    private SendStart BeginSend(int requests)
    {
        if (_isSending)
            return SendStart.None;
        _isSending = true;
        return _calls.Count == requests && _callersAtOnce <= 1 ? SendStart.Here : SendStart.Queued;
    }

    // Not awaited: a failed send ends the connection, and with it its calls.
    private void Send(SendStart start)
    {
        if (start == SendStart.Here)
            _ = SendAsync();
        else if (start == SendStart.Queued)
            ThreadPool.UnsafeQueueUserWorkItem(static connection => _ = connection.SendAsync(), this, preferLocal: false);
    }

    private async Task SendAsync()
    {
        try
        {
            while (TryTakeOutgoing())
            {
                await _stream.WriteAsync(_sending.WrittenMemory, _ending.Token).ConfigureAwait(false);
                await _stream.FlushAsync(_ending.Token).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or ObjectDisposedException)
        {
            End(e);
        }
    }

    private bool TryTakeOutgoing()
    {
        lock (_gate)
        {
            _sending.Clear();
            _room?.TrySetResult();
            _room = null;
            _isSending = !_outgoing.Written.IsEmpty && _failure is null;
            (_sending, _outgoing) = (_outgoing, _sending);
            return _isSending;
        }
    }

    private async Task ReadAsync()
    {
        var incoming = new ReceiveBuffer(MinReceiveBytes);
        try
        {
            while (true)
            {
                int received = await _stream.ReadAsync(incoming.Space(), _ending.Token).ConfigureAwait(false);
                if (received == 0)
                    throw new EndOfStreamException("The server closed the connection.");
                incoming.Add(received);
                int callers = 0;
                while (incoming.TryTake(_parser) is { } reply)
                {
                    if (Complete(reply))
                        callers++;
                }

                _callersAtOnce = callers;
            }
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or ObjectDisposedException or RespProtocolException)
        {
            End(e);
        }
    }

    // Whether a caller has got all its replies.
    private bool Complete(RespValue reply)
    {
        if (reply.Kind == RespKind.Push)
        {
            _hooks.Pushed?.Invoke(reply);
            return false;
        }

        IPendingReply? call;
        lock (_gate)
        {
            if (!_calls.TryDequeue(out call))
                throw new RespProtocolException("A reply arrived without a pending call.");
        }

        return call.Complete(reply);
    }

    private void EndIfLate()
    {
        lock (_gate)
        {
            if (!_calls.TryPeek(out IPendingReply? first) || _options.TimeProvider.GetElapsedTime(first.StartedAt) < _options.ReplyTimeout)
                return;
        }

        End(new TimeoutException($"No reply within {_options.ReplyTimeout}."));
    }

    private void End(Exception why)
    {
        IPendingReply[] lost;
        lock (_gate)
        {
            if (_failure is not null)
                return;
            Volatile.Write(ref _failure, why);
            lost = [.. _calls];
            _calls.Clear();
            _room?.TrySetException(Lost());
            _room = null;
        }

        _hooks.Ended?.Invoke();
        _clock.Dispose();
        _ending.Cancel();
        _stream.Dispose();
        foreach (IPendingReply call in lost)
            call.Fail(why is TimeoutException ? why : Lost());
    }

    // Who sends what a caller has appended: whoever is sending already, the caller itself, or the thread pool.
    private enum SendStart
    {
        None,
        Here,
        Queued,
    }

    private RespConnectionException Lost() => new($"The connection to {_options.EndPointText} was lost: {_failure!.Message}", _failure);
}
