// Fallback for transports that cannot send memory in place: it is copied into the pipe. One caller at a time, like the pipe.
using System.Buffers;
using System.IO.Pipelines;

namespace Garnet.Network.Features;

/// <summary>Sends by copying; the block is released before the call returns.</summary>
internal sealed unsafe class CopyingSend(PipeWriter output) : IReferencedSend
{
    /// <inheritdoc/>
    public void SendReferenced(nint block, long length, ISendOwner owner, nint token)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, int.MaxValue);
        output.Write(new ReadOnlySpan<byte>((void*)block, (int)length));
        owner.Release(token);
    }
}
