// Replies buffered until their header is known. Owned by one thread.
using System.Buffers;
using Garnet.Protocol;
using Garnet.Store.Memory;

namespace Garnet.Engine.Requests;

/// <summary>
/// Collects the elements of an array whose count is known last: write them with a <see cref="RespWriter"/> to this buffer, then the header
/// and <see cref="MoveTo"/>. It is stored in pieces of scratch memory, so that a large one is never copied to grow, has no limit but
/// memory's, and leaves nothing behind.
/// </summary>
internal sealed class DeferredReply : IBufferWriter<byte>
{
    private const int FirstPieceBytes = 1000;
    private const int LargestPieceBytes = 1 << 20;
    private readonly List<ScratchBlock> _pieces = [];
    private readonly List<int> _lengths = [];
    private int _moved; // pieces that were written to the reply

    /// <summary>Clears the content and frees its memory.</summary>
    public void Clear()
    {
        foreach (ScratchBlock piece in _pieces)
            piece.Release();
        _pieces.Clear();
        _lengths.Clear();
        _moved = 0;
    }

    /// <inheritdoc/>
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, (int)_pieces[^1].Bytes - _lengths[^1]);
        _lengths[^1] += count;
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        sizeHint = Math.Max(sizeHint, 1);
        if (_pieces.Count == 0 || _pieces[^1].Bytes - _lengths[^1] < sizeHint)
        {
            long size = _pieces.Count == 0 ? FirstPieceBytes : Math.Min(_pieces[^1].Bytes * 2, LargestPieceBytes);
            _pieces.Add(ScratchMemory.Rent(Math.Max(size, sizeHint)));
            _lengths.Add(0);
        }

        return _pieces[^1].Slice(_lengths[^1], (int)_pieces[^1].Bytes - _lengths[^1]);
    }

    /// <summary>Not supported: no writer of replies needs it.</summary>
    public Memory<byte> GetMemory(int sizeHint = 0) =>
        throw new NotSupportedException("Scratch memory has no object that a Memory could refer to.");

    /// <summary>Writes everything to a reply, frees each piece as soon as it is written, and is empty afterwards.</summary>
    public void MoveTo(ref RespWriter reply) => TryMoveTo(ref reply, long.MaxValue);

    /// <summary>
    /// As <see cref="MoveTo"/>, but stops once <see cref="RespWriter.BytesWritten"/> has reached <paramref name="end"/>; true when
    /// everything was written.
    /// </summary>
    public bool TryMoveTo(ref RespWriter reply, long end)
    {
        for (; _moved < _pieces.Count; _moved++)
        {
            if (reply.BytesWritten >= end)
                return false;
            reply.WriteRaw(_pieces[_moved].Slice(0, _lengths[_moved]));
            _pieces[_moved].Release();
            _pieces[_moved] = default;
        }

        Clear();
        return true;
    }
}
