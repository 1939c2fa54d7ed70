// Images taken out of a snapshot's buffer. Used only by the thread that took them.
using Garnet.Store.Tiering;

namespace Garnet.Store.Snapshots;

/// <summary>Walks the images of a chunk; <see cref="Return"/> frees the memory.</summary>
internal unsafe struct SnapshotChunk
{
    private readonly SnapshotBuffer _buffer;
    private readonly uint _index;
    private readonly byte* _chunk;
    private byte* _current;

    internal SnapshotChunk(SnapshotBuffer buffer, uint index, byte* chunk)
    {
        _buffer = buffer;
        _index = index;
        _chunk = chunk;
    }

    /// <summary>Total size of the images in the chunk.</summary>
    public readonly int Bytes => ((ChunkHeader*)_chunk)->UsedBytes - sizeof(ChunkHeader);

    /// <summary>The current image; invalid after the next step.</summary>
    public readonly SavedImage Current => new(_buffer, (ImageHeader*)_current);

    /// <summary>Names the values on disk that the images of the chunk need, in their order.</summary>
    public readonly void FindCold(SavedReads reads)
    {
        byte* end = _chunk + ((ChunkHeader*)_chunk)->UsedBytes;
        for (byte* at = _chunk + sizeof(ChunkHeader); at < end; at += ((ImageHeader*)at)->Bytes)
        {
            var image = new SavedImage(_buffer, (ImageHeader*)at);
            if (image.IsCold)
                reads.Want(image.Place);
        }
    }

    /// <summary>Moves to the next image; the references of the previous one are released.</summary>
    public bool MoveNext()
    {
        byte* next = _chunk + sizeof(ChunkHeader);
        if (_current != null)
        {
            var header = (ImageHeader*)_current;
            _buffer.ReleaseBlock(header->KeyBlock, header->IsWalked);
            _buffer.ReleaseBlock(header->ValueBlock, header->IsWalked);
            _buffer.ReleaseTree(header->Tree);
            next = _current + header->Bytes;
        }

        _current = next;
        return next < _chunk + ((ChunkHeader*)_chunk)->UsedBytes;
    }

    /// <summary>Returns the chunk and releases the references of the remaining images. Does nothing for an empty instance.</summary>
    public void Return()
    {
        if (_chunk == null)
            return;

        byte* end = _chunk + ((ChunkHeader*)_chunk)->UsedBytes;
        while (_current != end)
            MoveNext();

        _buffer.Return(_index);
    }
}
