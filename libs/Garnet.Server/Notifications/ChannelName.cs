// Writes the channels of an event and publishes it there. Scratch memory of one thread.
using System.Buffers.Text;
using Garnet.Engine.Events;
using Garnet.Engine.Execution;
using Garnet.Server.Messaging;

namespace Garnet.Server.Notifications;

/// <summary>Channels are named <c>__keyspace@0__:key</c> and <c>__keyevent@0__:event</c>, with the number of the database.</summary>
internal sealed class ChannelName
{
    /// <summary>That of a thread.</summary>
    public static readonly ThreadSlot<ChannelName> OfThread = new(static _ => new ChannelName());

    private const int KeptBytes = 64 * 1024;
    private const int PrefixBytes = 32;

    private byte[] _name = new byte[256];

    /// <summary>Publishes an event to the channels that are selected.</summary>
    public void Publish(
        MessageHub messages,
        PublishedLanes lanes,
        Subscriber? sender,
        KeyEventClasses classes,
        KeyEvent keyEvent,
        int database,
        ReadOnlySpan<byte> key
    )
    {
        if ((classes & KeyEventClasses.KeyspaceChannel) != 0)
            messages.Publish(lanes, Write("__keyspace@"u8, database, key), keyEvent.Name, default, sender);
        if ((classes & KeyEventClasses.KeyEventChannel) != 0)
            messages.Publish(lanes, Write("__keyevent@"u8, database, keyEvent.Name), key, default, sender);
        if (_name.Length > KeptBytes)
            _name = new byte[256];
    }

    private ReadOnlySpan<byte> Write(ReadOnlySpan<byte> kind, int database, ReadOnlySpan<byte> name)
    {
        int max = checked(PrefixBytes + name.Length);
        if (_name.Length < max)
            _name = new byte[max];
        kind.CopyTo(_name);
        int used = kind.Length;
        Utf8Formatter.TryFormat(database, _name.AsSpan(used), out int digits);
        used += digits;
        "__:"u8.CopyTo(_name.AsSpan(used));
        used += 3;
        name.CopyTo(_name.AsSpan(used));
        return _name.AsSpan(0, used + name.Length);
    }
}
