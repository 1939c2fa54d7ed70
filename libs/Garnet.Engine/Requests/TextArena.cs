// The texts collected by one command, in a few large blocks instead of an object for each. One command's thread.
using Garnet.Store;
using Garnet.Store.Memory;

namespace Garnet.Engine.Requests;

/// <summary>Stores texts one after another; they stay in place until it is disposed.</summary>
internal sealed class TextArena : IDisposable
{
    // The first chunk is small, as most lists are short; a longer text gets its own chunk.
    private const int FirstChunkBytes = 4096;
    private const int LargestChunkBytes = 1 << 20;

    // Shorter texts are copied: a reference would take as much.
    private const int MinReferencedBytes = 64;

    // The chunks, whatever their owner: blocks of the arena, referenced large values, or the caller's memory.
    private NativeText[] _chunks = [];
    private List<ScratchBlock> _blocks = [];
    private Dictionary<int, ValueBlock>? _values;
    private int _count;
    private int _current = -1;
    private int _chunkBytes = FirstChunkBytes;
    private int _used;

    /// <summary>The text of a slice that is not <see cref="TextSlice.None"/>.</summary>
    public ReadOnlySpan<byte> this[TextSlice slice] => _chunks[slice.Chunk].Slice(slice.Offset, slice.Length);

    /// <summary>Stores a copy.</summary>
    public TextSlice Add(ReadOnlySpan<byte> text)
    {
        if (_current < 0 || text.Length > _chunks[_current].Length - _used)
        {
            ScratchBlock block = ScratchMemory.Rent(Math.Max(_chunkBytes, text.Length));
            _blocks.Add(block);
            _current = AddChunk(new NativeText(block.As<byte>()));
            _chunkBytes = Math.Min(_chunkBytes * 2, LargestChunkBytes);
            _used = 0;
        }

        text.CopyTo(_chunks[_current].Slice(_used, text.Length));
        var slice = new TextSlice(_current, _used, text.Length);
        _used += text.Length;
        return slice;
    }

    /// <summary>Stores a counted reference to a large value instead of a copy; takes over the reference.</summary>
    public TextSlice Add(ValueBlock value)
    {
        int chunk = AddChunk(new NativeText(value.Span));
        (_values ??= []).Add(chunk, value);
        return new TextSlice(chunk, 0, value.Length);
    }

    /// <summary>
    /// Stores only the address of the text, unless it is short; the caller must keep the text in place until its last use.
    /// </summary>
    public TextSlice AddInPlace(ReadOnlySpan<byte> text) =>
        text.Length < MinReferencedBytes ? Add(text) : new TextSlice(AddChunk(new NativeText(text)), 0, text.Length);

    /// <summary>True when a text is a large value that can be sent in place; returns another reference to it.</summary>
    public bool TryReferenceBlock(TextSlice slice, out ValueBlock value)
    {
        value = default;
        if (_values is null || !_values.TryGetValue(slice.Chunk, out value))
            return false;
        value.AddReference();
        return true;
    }

    /// <summary>Moves the texts to a new arena that can be kept longer; this one is empty afterwards.</summary>
    public TextArena Detach()
    {
        TextArena moved = new()
        {
            _chunks = _chunks,
            _blocks = _blocks,
            _values = _values,
            _count = _count,
            _current = _current,
            _chunkBytes = _chunkBytes,
            _used = _used,
        };
        (_chunks, _blocks, _values, _count, _current) = ([], [], null, 0, -1);
        return moved;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (ScratchBlock block in _blocks)
            block.Release();
        if (_values is not null)
        {
            foreach (ValueBlock value in _values.Values)
                value.Release();
        }

        (_values, _count, _current) = (null, 0, -1);
        _blocks.Clear();
    }

    private int AddChunk(NativeText chunk)
    {
        if (_count == _chunks.Length)
            Array.Resize(ref _chunks, Math.Max(8, 2 * _count));
        _chunks[_count] = chunk;
        return _count++;
    }
}
