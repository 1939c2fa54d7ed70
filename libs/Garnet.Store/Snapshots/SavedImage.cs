// One key in its state at a snapshot's flip, in the snapshot's own memory. Used by the thread that took its chunk, until it moves on.
using System.Runtime.InteropServices;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Streams;
using Garnet.Store.Records;
using Garnet.Store.Tiering;

namespace Garnet.Store.Snapshots;

/// <summary>Key, value and properties of a record; unlike those of <see cref="SnapshotImage"/> they do not change.</summary>
internal readonly unsafe ref struct SavedImage
{
    private readonly SnapshotBuffer _buffer;
    private readonly ImageHeader* _header;
    private readonly ReadOnlySpan<byte> _loaded;
    private readonly bool _isLoaded;

    internal SavedImage(SnapshotBuffer buffer, ImageHeader* header)
    {
        _buffer = buffer;
        _header = header;
    }

    private SavedImage(SnapshotBuffer buffer, ImageHeader* header, ReadOnlySpan<byte> value)
        : this(buffer, header)
    {
        _loaded = value;
        _isLoaded = true;
    }

    /// <summary>Whether the value is on disk: it has to be read, and given by <see cref="With"/>.</summary>
    public bool IsCold => !_isLoaded && ColdLocator.IsLocator(_header->ValueBlock);

    /// <summary>Where a cold value is, and the salted hash of its key.</summary>
    public (ColdLocator Locator, ulong Hash) Place => (new ColdLocator(_header->ValueBlock), MemoryMarshal.Read<ulong>(InlineValue));

    /// <summary>The same image with the value that was read.</summary>
    public SavedImage With(ReadOnlySpan<byte> value) => new(_buffer, _header, value);

    /// <summary>The logical database at the flip.</summary>
    public int Database => _header->Database;

    /// <summary>Type, expiry and access byte.</summary>
    public RecordInfo Info => new(_header->Type, _header->ExpiresAtMs, _header->Access);

    /// <summary>The sliding part of the expiry; <c>default</c> when it does not slide.</summary>
    public SlidingExpiry Sliding => _header->Slides ? *(SlidingExpiry*)((byte*)_header + _header->Bytes - sizeof(SlidingExpiry)) : default;

    /// <summary>True when the value is in a block: it may be long.</summary>
    public bool IsBlock => !_isLoaded && _header->ValueBlock != 0;

    /// <summary>The key.</summary>
    public ReadOnlySpan<byte> Key =>
        _header->KeyBlock != 0
            ? _buffer.BlockOf(_header->KeyBlock).Span
            : new ReadOnlySpan<byte>((byte*)_header + sizeof(ImageHeader), _header->KeyLength);

    /// <summary>The value; only if it is not <see cref="IsCold"/>.</summary>
    public ReadOnlySpan<byte> Value =>
        _isLoaded ? _loaded
        : _header->ValueBlock != 0 ? _buffer.BlockOf(_header->ValueBlock).Span
        : InlineValue;

    /// <summary>A stream in its state at the flip; valid until the next step of the chunk.</summary>
    public StreamView OpenStream() => _buffer.OpenStream(_header->Tree);

    /// <summary>The elements of a collection in order; returned spans are valid until the next step of the chunk.</summary>
    public CollectionImage OpenCollection() =>
        _header->Tree != 0 ? _buffer.OpenTree(_header->Type, Value, _header->Tree) : CollectionImage.FromBytes(_header->Type, Value);

    private ReadOnlySpan<byte> InlineValue =>
        new((byte*)_header + sizeof(ImageHeader) + (_header->KeyBlock != 0 ? 0 : _header->KeyLength), _header->ValueLength);
}
