// A piece of the stream of effects in memory. Written under the stream's lock, read by readers up to the published length.
namespace Garnet.Persistence.Effects;

/// <summary>Whole effects, one after another; an effect never continues in another block.</summary>
internal sealed class EffectBlock(byte[] bytes)
{
    private int _length;
    private EffectBlock? _next;

    /// <summary>The memory.</summary>
    public byte[] Bytes { get; } = bytes;

    /// <summary>Bytes in use. They are written before the length that includes them is published.</summary>
    public int Length
    {
        get => Volatile.Read(ref _length);
        set => Volatile.Write(ref _length, value);
    }

    /// <summary>Position of the first byte in the stream.</summary>
    public long Offset { get; set; }

    /// <summary>Position after the last byte.</summary>
    public long End => Offset + Length;

    /// <summary>The block that continues the stream; this one does not grow any more once there is one.</summary>
    public EffectBlock? Next
    {
        get => Volatile.Read(ref _next);
        set => Volatile.Write(ref _next, value);
    }
}
