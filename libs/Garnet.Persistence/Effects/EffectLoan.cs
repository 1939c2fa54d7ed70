// Bytes of the stream of effects on their way to the network. Created by the thread that reads, returned by any.
using System.Runtime.InteropServices;
using Garnet.Store.Memory;

namespace Garnet.Persistence.Effects;

/// <summary>Keeps bytes of the stream where they are, unchanged, until it is returned; so they can be sent without a copy.</summary>
internal sealed class EffectLoan : ILentBytes
{
    private readonly EffectBlock _block;
    private readonly int _offset;

    internal EffectLoan(EffectBlock block, int offset, int length)
    {
        block.CountLoan();
        _block = block;
        _offset = offset;
        Length = length;
    }

    /// <summary>The first byte. Blocks do not move, and this object keeps its block alive.</summary>
    public nint Address => Marshal.UnsafeAddrOfPinnedArrayElement(_block.Bytes, _offset);

    /// <summary>The number of bytes.</summary>
    public int Length { get; }

    /// <summary>To be called once.</summary>
    public void Return() => _block.CountReturn();
}
