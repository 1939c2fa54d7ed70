// The texts that one command gathers, in a few large blocks instead of an object for each. One command's thread.
using System.Runtime.InteropServices;
using Garnet.Store;

namespace Garnet.Server.Commands;

/// <summary>Takes texts one behind the other; they stay where they are until it is disposed.</summary>
internal sealed class TextArena : IDisposable
{
    // The first is small, as most lists are; a text that is longer has one of its own.
    private const int FirstChunkBytes = 4096;
    private const int LargestChunkBytes = 1 << 20;

    // Shorter texts are copied: a reference would take as much.
    private const int LeastReferencedBytes = 64;

    private List<Chunk> chunks = [];
    private int current = -1;
    private int chunkBytes = FirstChunkBytes;
    private int used;

    /// <summary>The text of a slice that is one.</summary>
    public ReadOnlySpan<byte> this[TextSlice slice] => chunks[slice.Chunk].Slice(slice.Offset, slice.Length);

    /// <summary>Bytes of blocks rented.</summary>
    public long Bytes { get; private set; }

    /// <summary>Keeps a copy.</summary>
    public TextSlice Add(ReadOnlySpan<byte> text)
    {
        if (current < 0 || text.Length > chunks[current].Bytes - used)
        {
            current = chunks.Count;
            chunks.Add(new Chunk(ScratchMemory.Rent(Math.Max(chunkBytes, text.Length))));
            Bytes += chunks[current].Bytes;
            chunkBytes = Math.Min(chunkBytes * 2, LargestChunkBytes);
            used = 0;
        }

        text.CopyTo(chunks[current].Slice(used, text.Length));
        var slice = new TextSlice(current, used, text.Length);
        used += text.Length;
        return slice;
    }

    /// <summary>Keeps a counted reference to a large value instead of a copy; takes the reference over.</summary>
    public TextSlice Add(ValueBlock block)
    {
        chunks.Add(new Chunk(block));
        return new TextSlice(chunks.Count - 1, 0, block.Length);
    }

    /// <summary>Keeps nothing but where the text lies, unless it is short: for a caller that keeps it there until the arena is disposed.</summary>
    public TextSlice AddInPlace(ReadOnlySpan<byte> text)
    {
        if (text.Length < LeastReferencedBytes)
            return Add(text);
        chunks.Add(new Chunk(text));
        return new TextSlice(chunks.Count - 1, 0, text.Length);
    }

    /// <summary>True when a text is a large value that can be sent from where it lies; with a reference of its own.</summary>
    public bool TryReferenceBlock(TextSlice slice, out ValueBlock block)
    {
        block = chunks[slice.Chunk].Value;
        if (block.Length == 0)
            return false;
        block.AddReference();
        return true;
    }

    /// <summary>The texts in an arena of their own, for whoever needs them longer; this one is empty afterwards.</summary>
    public TextArena MoveAway()
    {
        TextArena moved = new() { chunks = chunks, current = current, chunkBytes = chunkBytes, used = used, Bytes = Bytes };
        chunks = [];
        current = -1;
        return moved;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (Chunk chunk in chunks)
            chunk.Release();
        chunks.Clear();
        current = -1;
        Bytes = 0;
    }

    // A block of the arena's own, a large value that is referenced, or a place that the caller keeps as it is.
    private readonly struct Chunk
    {
        private readonly ScratchBlock own;
        private readonly NativeText place;

        public Chunk(ScratchBlock own) => this.own = own;

        public Chunk(ValueBlock value) => Value = value;

        public Chunk(ReadOnlySpan<byte> text) => place = new NativeText(text);

        public ValueBlock Value { get; }

        public int Bytes => (int)own.Bytes;

        public Span<byte> Slice(int offset, int length) =>
            own.Bytes != 0 ? own.Slice(offset, length) : Value.Length != 0 ? Value.Span.Slice(offset, length) : place.Span.Slice(offset, length);

        public void Release()
        {
            own.Release();
            if (Value.Length != 0)
                Value.Release();
        }
    }
}
