// Messages that other threads send to a client besides its replies, until its own thread writes them. Any thread adds, the client's thread
// takes.
using System.Collections.Concurrent;

namespace Garnet.Engine.Clients;

/// <summary>Messages in order of arrival, and their size.</summary>
internal sealed class MessageQueue
{
    private readonly ConcurrentQueue<QueuedMessage> _messages = new();
    private long _bytes;
    private int _isAnnounced;
    private volatile bool _isClosed;

    /// <summary>Bytes waiting.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>Adds a message, which is not copied; true when the client must be notified.</summary>
    public bool Add(QueuedMessage message)
    {
        Interlocked.Add(ref _bytes, message.Length);
        _messages.Enqueue(message);
        if (_isClosed)
            Close();
        return Interlocked.Exchange(ref _isAnnounced, 1) == 0;
    }

    /// <summary>Called when the client has ended: releases the payloads of queued messages, and of those that are still added.</summary>
    public void Close()
    {
        _isClosed = true;
        while (TryTake(out QueuedMessage message))
            message.Payload.Release();
    }

    /// <summary>Called before taking: messages added from here on trigger a new notification.</summary>
    public void BeginTaking() => Interlocked.Exchange(ref _isAnnounced, 0);

    /// <summary>Removes the oldest message, whose payload the caller must release; false when there is none.</summary>
    public bool TryTake(out QueuedMessage message)
    {
        if (!_messages.TryDequeue(out message))
            return false;
        Interlocked.Add(ref _bytes, -message.Length);
        return true;
    }
}
