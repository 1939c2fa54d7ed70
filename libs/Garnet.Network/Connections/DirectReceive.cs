// A pending receive into the session's own memory. Begin is called by the session, the rest by the owner.
using System.Threading.Tasks.Sources;

namespace Garnet.Network.Connections;

internal sealed unsafe class DirectReceive(StreamConnection connection) : IValueTaskSource<long>
{
    // One call copies at most this much, so that a fast sender of a large value does not occupy the loop.
    private const int BytesPerTurn = 1024 * 1024;

    private static readonly Action<object?> StartCallback = static r => ((DirectReceive)r!).Start();

    private OwnerSignal _signal;
    private byte* _destination;
    private long _length;
    private long _received;
    private bool _ended;

    /// <summary>The owner receives for it.</summary>
    internal bool IsPending { get; private set; }

    internal ValueTask<long> Begin(byte* destination, long length, long copied, bool ended)
    {
        bool onOwner = connection.IsOnOwnerThread;
        if (onOwner && (copied == length || ended))
            return new ValueTask<long>(copied);
        _destination = destination;
        _length = length;
        _received = copied;
        _ended = ended;
        if (!onOwner)
            return new ValueTask<long>(this, _signal.BeginElsewhere(StartCallback));
        short version = _signal.Begin();
        Start();
        return new ValueTask<long>(this, version);
    }

    /// <summary>Receives once. Top of the loop only.</summary>
    /// <returns>True when the stream has ended.</returns>
    internal bool Proceed()
    {
        while (!_ended && !connection.IsClosed && _received < _length)
        {
            int wanted = (int)Math.Min(_length - _received, BytesPerTurn);
            int received = connection.Receive(_destination + _received, wanted);
            if (received == StreamConnection.WouldBlock)
            {
                connection.WantReadable();
                return false;
            }
            if (received > 0)
            {
                _received += received;
                if (_received < _length)
                {
                    WaitForMore();
                    return false;
                }
            }
            else if (received == 0)
            {
                _ended = true;
            }
            else
            {
                connection.Close();
            }
        }
        IsPending = false;
        bool ended = _ended;
        _signal.Complete();
        return ended;
    }

    long IValueTaskSource<long>.GetResult(short token)
    {
        _signal.GetResult(token);
        return _received;
    }

    ValueTaskSourceStatus IValueTaskSource<long>.GetStatus(short token) => _signal.GetStatus(token);

    void IValueTaskSource<long>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        if (!_signal.OnCompleted(connection, this, continuation, state, token, flags))
            _signal.Complete();
    }

    private void Start()
    {
        IsPending = true;
        // Completion belongs to the top of the loop, so even a receive that is ready waits for its turn.
        if (connection.Readable || connection.IsClosed || _ended || _received == _length)
            connection.Owner.AddReady(connection);
        else
            connection.WantReadable();
        connection.OfferMove();
    }

    private void WaitForMore()
    {
        if (connection.Readable)
            connection.Owner.AddReady(connection);
        else
            connection.WantReadable();
    }
}
