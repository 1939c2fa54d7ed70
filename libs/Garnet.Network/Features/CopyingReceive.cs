// Fallback for transports that cannot receive into the caller's memory: bytes are copied from the pipe. One caller at a time, like the
// pipe.
using System.Buffers;
using System.IO.Pipelines;

namespace Garnet.Network.Features;

/// <summary>Receives by copying from the pipe.</summary>
internal sealed class CopyingReceive(PipeReader input) : IDirectReceive
{
    /// <inheritdoc/>
    public async ValueTask<long> ReceiveAsync(nint destination, long length)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(length, 1);
        long received = 0;
        while (received < length)
        {
            ReadResult read = await input.ReadAsync().ConfigureAwait(false);
            long taken = Copy(read.Buffer, destination + (nint)received, length - received);
            input.AdvanceTo(read.Buffer.GetPosition(taken));
            received += taken;
            if (read.IsCompleted && taken == 0)
                break;
        }
        return received;
    }

    private static unsafe long Copy(in ReadOnlySequence<byte> source, nint destination, long wanted)
    {
        long copied = 0;
        foreach (ReadOnlyMemory<byte> segment in source)
        {
            int piece = (int)Math.Min(segment.Length, wanted - copied);
            segment.Span[..piece].CopyTo(new Span<byte>((byte*)destination + copied, piece));
            copied += piece;
        }
        return copied;
    }
}
