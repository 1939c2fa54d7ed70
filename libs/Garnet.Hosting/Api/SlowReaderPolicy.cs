// What happens to messages when an application reads them too slowly. Immutable.
namespace Garnet;

/// <summary>What a subscription does with a message when its buffer is full.</summary>
public enum SlowReaderPolicy
{
    /// <summary>The oldest message in the buffer is dropped: the reader sees the latest state.</summary>
    DropOldest,

    /// <summary>The new message is dropped: the reader sees the messages that arrived first.</summary>
    DropNewest,

    /// <summary>
    /// The subscription ends, as a RESP client is disconnected at its output limit: after the messages in the buffer the reader gets an
    /// <see cref="InvalidOperationException"/>.
    /// </summary>
    End,
}
