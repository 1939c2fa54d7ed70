// Consecutive messages for the same subscribers while a lane delivers them. Lives on the stack of the delivering thread.
using Garnet.Store;

namespace Garnet.Server.Messaging;

/// <summary>Either one message with a referenced payload, or any number of frames, contiguous.</summary>
internal ref struct Delivery(FrameQueue queue, ReadOnlySpan<QueuedFrame> frames)
{
    private readonly ReadOnlySpan<QueuedFrame> _frames = frames;
    private byte[]? _resp2;
    private byte[]? _resp3;

    /// <summary>The frames in RESP2.</summary>
    public readonly ReadOnlySpan<byte> Bytes { get; } = queue.BytesOf(frames);

    /// <summary>Number of messages.</summary>
    public readonly int Count => _frames.Length;

    /// <summary>A large payload, to be followed by CR LF; empty if the frames have theirs.</summary>
    public readonly ValueBlock Payload { get; } = frames[0].Payload;

    /// <summary>Copies the frames in a protocol version.</summary>
    public readonly void CopyTo(Span<byte> target, int protocolVersion)
    {
        Bytes.CopyTo(target);
        if (protocolVersion < 3)
            return;
        int first = _frames[0].Start;
        foreach (ref readonly QueuedFrame frame in _frames)
            target[frame.Start - first] = (byte)'>';
    }

    /// <summary>The frames in a protocol version, in an array that all subscribers who cannot take them now share.</summary>
    public byte[] Shared(int protocolVersion)
    {
        if (protocolVersion >= 3)
            return _resp3 ??= Copy(3);
        return _resp2 ??= Copy(2);
    }

    /// <summary>The bytes of one of the messages.</summary>
    public readonly ReadOnlySpan<byte> this[int message] =>
        Bytes[(_frames[message].Start - _frames[0].Start)..(_frames[message].End - _frames[0].Start)];

    private readonly byte[] Copy(int protocolVersion)
    {
        byte[] copy = GC.AllocateUninitializedArray<byte>(Bytes.Length);
        CopyTo(copy, protocolVersion);
        return copy;
    }
}
