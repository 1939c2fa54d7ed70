// Messages that other threads send to a client besides its replies, until its own thread writes them. Any thread adds, the client's thread
// takes.
using System.Collections.Concurrent;

namespace Garnet.Server.Sessions;

/// <summary>Messages in order of arrival, and their size.</summary>
internal sealed class MessageQueue
{
    private readonly ConcurrentQueue<byte[]> _messages = new();
    private long _bytes;
    private int _isAnnounced;

    /// <summary>Bytes waiting.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>Adds a message, which is not copied; true when the client must be notified.</summary>
    public bool Add(byte[] message)
    {
        Interlocked.Add(ref _bytes, message.Length);
        _messages.Enqueue(message);
        return Interlocked.Exchange(ref _isAnnounced, 1) == 0;
    }

    /// <summary>Called before taking: messages added from here on trigger a new notification.</summary>
    public void BeginTaking() => Interlocked.Exchange(ref _isAnnounced, 0);

    /// <summary>Removes the oldest message; false when there is none.</summary>
    public bool TryTake(out byte[] message)
    {
        if (!_messages.TryDequeue(out message!))
            return false;
        Interlocked.Add(ref _bytes, -message.Length);
        return true;
    }
}
