// Waits until the socket has accepted everything flushed. Begin is called by the session, the rest by the owner.
using System.Threading.Tasks.Sources;

namespace Garnet.Network.Connections;

internal sealed class DrainWait(StreamConnection connection) : IValueTaskSource
{
    // The owner may have sent everything before it learned of a wait begun on another thread: check at once.
    private static readonly Action<object?> StartCallback = static w => ((DrainWait)w!).Start();

    private OwnerSignal _signal;
    private long _target;
    private bool _pending;

    internal bool IsReached(long sent) => _pending && sent >= _target;

    internal ValueTask Begin(ConnectionWriter writer)
    {
        if (_pending)
            throw new InvalidOperationException("Another caller is already waiting for this connection's output.");
        _target = writer.FlushedBytes;
        if (!connection.IsOnOwnerThread)
            return new ValueTask(this, _signal.BeginElsewhere(StartCallback));
        if (writer.IsDrained || connection.IsClosed)
            return default;
        short version = _signal.Begin();
        _pending = true;
        return new ValueTask(this, version);
    }

    internal void Proceed(ConnectionWriter writer)
    {
        if (!_pending || (writer.SentBytes < _target && !connection.IsClosed))
            return;
        _pending = false;
        _signal.Complete();
    }

    void IValueTaskSource.GetResult(short token) => _signal.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _signal.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        if (!_signal.OnCompleted(connection, this, continuation, state, token, flags))
            _signal.Complete();
    }

    private void Start()
    {
        _pending = true;
        Proceed(connection.Writer);
    }
}
