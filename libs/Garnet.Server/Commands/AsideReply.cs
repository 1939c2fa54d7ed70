// Replies that are set aside until what stands before them is known. Owned by one worker.
using System.Buffers;
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Server.Commands;

/// <summary>
/// Takes the elements of an array whose count is known last: write them with a <see cref="RespWriter"/> over this, then the head and <see cref="MoveTo"/>. It is kept in pieces of scratch
/// memory, so that a large one is never copied to grow, has no limit but memory's, and leaves nothing behind.
/// </summary>
public sealed class AsideReply : IBufferWriter<byte>
{
    private const int FirstPieceBytes = 1000;
    private const int LargestPieceBytes = 1 << 20;
    private readonly List<ScratchBlock> pieces = [];
    private readonly List<int> lengths = [];
    private int moved; // pieces that were written to the reply

    /// <summary>Empties it and gives its memory back.</summary>
    public void Clear()
    {
        foreach (ScratchBlock piece in pieces)
            piece.Release();
        pieces.Clear();
        lengths.Clear();
        moved = 0;
    }

    /// <inheritdoc/>
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, (int)pieces[^1].Bytes - lengths[^1]);
        lengths[^1] += count;
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        sizeHint = Math.Max(sizeHint, 1);
        if (pieces.Count == 0 || pieces[^1].Bytes - lengths[^1] < sizeHint)
        {
            long size = pieces.Count == 0 ? FirstPieceBytes : Math.Min(pieces[^1].Bytes * 2, LargestPieceBytes);
            pieces.Add(ScratchMemory.Rent(Math.Max(size, sizeHint)));
            lengths.Add(0);
        }

        return pieces[^1].Slice(lengths[^1], (int)pieces[^1].Bytes - lengths[^1]);
    }

    /// <summary>Not offered: nothing that writes replies asks for it.</summary>
    public Memory<byte> GetMemory(int sizeHint = 0) => throw new NotSupportedException("Scratch memory has no object that a Memory could refer to.");

    /// <summary>Writes everything to a reply, gives each piece back as soon as it is written, and is empty.</summary>
    public void MoveTo(ref RespWriter reply) => TryMoveTo(ref reply, long.MaxValue);

    /// <summary>As <see cref="MoveTo"/>, but stops once <see cref="RespWriter.BytesWritten"/> has come to a number; true when everything was written.</summary>
    public bool TryMoveTo(ref RespWriter reply, long end)
    {
        for (; moved < pieces.Count; moved++)
        {
            if (reply.BytesWritten >= end)
                return false;
            reply.WriteRaw(pieces[moved].Slice(0, lengths[moved]));
            pieces[moved].Release();
            pieces[moved] = default;
        }

        Clear();
        return true;
    }
}
