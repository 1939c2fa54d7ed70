// What others send to a client beside its replies, until its own thread writes it. Any thread adds, the client's thread takes.
using System.Collections.Concurrent;

namespace Garnet.Server.Sessions;

/// <summary>Messages in the order in which they were added, and their bytes.</summary>
internal sealed class MessageQueue
{
    private readonly ConcurrentQueue<byte[]> _messages = new();
    private long _bytes;
    private int _isAnnounced;

    /// <summary>Bytes that are waiting.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>Adds a message, which is not copied; true when the client has to be told that there is something.</summary>
    public bool Add(byte[] message)
    {
        Interlocked.Add(ref _bytes, message.Length);
        _messages.Enqueue(message);
        return Interlocked.Exchange(ref _isAnnounced, 1) == 0;
    }

    /// <summary>Called before taking: whoever adds from here on announces it again.</summary>
    public void BeginTaking() => Interlocked.Exchange(ref _isAnnounced, 0);

    /// <summary>Takes the oldest message; false when there is none.</summary>
    public bool TryTake(out byte[] message)
    {
        if (!_messages.TryDequeue(out message!))
            return false;
        Interlocked.Add(ref _bytes, -message.Length);
        return true;
    }
}
