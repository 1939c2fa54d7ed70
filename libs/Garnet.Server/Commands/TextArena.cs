// The texts that one command gathers, in a few large arrays instead of an object for each. One command's thread.
using System.Buffers;

namespace Garnet.Server.Commands;

/// <summary>Takes texts one behind the other; they stay where they are until it is disposed.</summary>
internal sealed class TextArena : IDisposable
{
    // The first is small, as most lists are; a text that is longer has one of its own.
    private const int FirstChunkBytes = 4096;
    private const int LargestChunkBytes = 1 << 20;

    private List<byte[]> chunks = [];
    private int chunkBytes = FirstChunkBytes;
    private int used;

    /// <summary>The text of a slice that is one.</summary>
    public ReadOnlySpan<byte> this[TextSlice slice] => chunks[slice.Chunk].AsSpan(slice.Offset, slice.Length);

    /// <summary>Keeps a copy.</summary>
    public TextSlice Add(ReadOnlySpan<byte> text)
    {
        if (chunks.Count == 0 || text.Length > chunks[^1].Length - used)
        {
            chunks.Add(ArrayPool<byte>.Shared.Rent(Math.Max(chunkBytes, text.Length)));
            chunkBytes = Math.Min(chunkBytes * 2, LargestChunkBytes);
            used = 0;
        }

        text.CopyTo(chunks[^1].AsSpan(used));
        var slice = new TextSlice(chunks.Count - 1, used, text.Length);
        used += text.Length;
        return slice;
    }

    /// <summary>The texts in an arena of their own, for whoever needs them longer; this one is empty afterwards.</summary>
    public TextArena MoveAway()
    {
        TextArena moved = new() { chunks = chunks, chunkBytes = chunkBytes, used = used };
        chunks = [];
        return moved;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (byte[] chunk in chunks)
            ArrayPool<byte>.Shared.Return(chunk);
        chunks.Clear();
    }
}
