// A piece of the stream of effects in memory. Written under the stream's lock, read by readers up to the published length.
namespace Garnet.Persistence.Effects;

/// <summary>Whole effects, one after another; an effect never continues in another block.</summary>
internal sealed class EffectBlock
{
    private int _length;
    private int _loans;
    private EffectBlock? _next;

    /// <summary>A block that effects are written to.</summary>
    /// <param name="capacity">Bytes that fit.</param>
    public EffectBlock(int capacity) => Bytes = GC.AllocateUninitializedArray<byte>(capacity, pinned: true);

    /// <summary>The memory, which does not move.</summary>
    public byte[] Bytes { get; }

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

    /// <summary>Whether parts of it are being sent in place, so that it must not be used for other bytes yet.</summary>
    public bool IsLent => Volatile.Read(ref _loans) > 0;

    internal void CountLoan() => Interlocked.Increment(ref _loans);

    internal void CountReturn() => Interlocked.Decrement(ref _loans);
}
