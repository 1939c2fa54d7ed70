// The texts that one command gathers, in a few large blocks instead of an object for each. One command's thread.
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

    // Where chunks lie, whoever owns them: blocks of the arena, large values that it refers to, or the caller.
    private NativeText[] chunks = [];
    private List<ScratchBlock> blocks = [];
    private Dictionary<int, ValueBlock>? values;
    private int count;
    private int current = -1;
    private int chunkBytes = FirstChunkBytes;
    private int used;

    /// <summary>The text of a slice that is one.</summary>
    public ReadOnlySpan<byte> this[TextSlice slice] => chunks[slice.Chunk].Slice(slice.Offset, slice.Length);

    /// <summary>Keeps a copy.</summary>
    public TextSlice Add(ReadOnlySpan<byte> text)
    {
        if (current < 0 || text.Length > chunks[current].Length - used)
        {
            ScratchBlock block = ScratchMemory.Rent(Math.Max(chunkBytes, text.Length));
            blocks.Add(block);
            current = AddChunk(new NativeText(block.As<byte>()));
            chunkBytes = Math.Min(chunkBytes * 2, LargestChunkBytes);
            used = 0;
        }

        text.CopyTo(chunks[current].Slice(used, text.Length));
        var slice = new TextSlice(current, used, text.Length);
        used += text.Length;
        return slice;
    }

    /// <summary>Keeps a counted reference to a large value instead of a copy; takes the reference over.</summary>
    public TextSlice Add(ValueBlock value)
    {
        int chunk = AddChunk(new NativeText(value.Span));
        (values ??= []).Add(chunk, value);
        return new TextSlice(chunk, 0, value.Length);
    }

    /// <summary>Keeps nothing but where the text lies, unless it is short: for a caller that keeps it there until the text is looked at for the last time.</summary>
    public TextSlice AddInPlace(ReadOnlySpan<byte> text) =>
        text.Length < LeastReferencedBytes ? Add(text) : new TextSlice(AddChunk(new NativeText(text)), 0, text.Length);

    /// <summary>True when a text is a large value that can be sent from where it lies; with a reference of its own.</summary>
    public bool TryReferenceBlock(TextSlice slice, out ValueBlock value)
    {
        value = default;
        if (values is null || !values.TryGetValue(slice.Chunk, out value))
            return false;
        value.AddReference();
        return true;
    }

    /// <summary>The texts in an arena of their own, for whoever needs them longer; this one is empty afterwards.</summary>
    public TextArena MoveAway()
    {
        TextArena moved = new() { chunks = chunks, blocks = blocks, values = values, count = count, current = current, chunkBytes = chunkBytes, used = used };
        (chunks, blocks, values, count, current) = ([], [], null, 0, -1);
        return moved;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (ScratchBlock block in blocks)
            block.Release();
        if (values is not null)
        {
            foreach (ValueBlock value in values.Values)
                value.Release();
        }

        (values, count, current) = (null, 0, -1);
        blocks.Clear();
    }

    private int AddChunk(NativeText chunk)
    {
        if (count == chunks.Length)
            Array.Resize(ref chunks, Math.Max(8, 2 * count));
        chunks[count] = chunk;
        return count++;
    }
}
