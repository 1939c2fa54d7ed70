// One key in its state at a snapshot's flip. Valid during the call it is passed to.
using Garnet.Store.Collections;
using Garnet.Store.Collections.Lists;
using Garnet.Store.Collections.Trees;
using Garnet.Store.Maintenance;
using Garnet.Store.Records;
using Garnet.Store.Tiering;

namespace Garnet.Store.Snapshots;

/// <summary>Key, value and properties of a record; the bytes are the store's own and stay unchanged only during the call.</summary>
internal readonly unsafe ref struct SnapshotImage
{
    private readonly HybridLogStore _store;
    private readonly byte* _record;
    private readonly ulong _header;
    private readonly ReadOnlySpan<byte> _loaded;
    private readonly bool _isLoaded;

    internal SnapshotImage(HybridLogStore store, byte* record, int database, int slot)
    {
        _store = store;
        _record = record;
        _header = *(ulong*)record;
        Database = database;
        Slot = slot;
    }

    /// <summary>The image of a record whose value is on disk, with that value.</summary>
    internal SnapshotImage(HybridLogStore store, byte* record, int database, int slot, ReadOnlySpan<byte> value)
        : this(store, record, database, slot)
    {
        _loaded = value;
        _isLoaded = true;
    }

    /// <summary>The logical database at the flip.</summary>
    public int Database { get; }

    /// <summary>
    /// Number of the calling thread's epoch slot: until the call ends no other thread passes images with this number.
    /// </summary>
    public int Slot { get; }

    /// <summary>The key.</summary>
    public ReadOnlySpan<byte> Key => RecordHeader.Key(_record, _header);

    /// <summary>The value; only if it is not <see cref="IsCold"/>.</summary>
    public ReadOnlySpan<byte> Value => _isLoaded ? _loaded : RecordHeader.Value(_record, _header);

    /// <summary>Whether the value is on disk, and not at hand.</summary>
    public bool IsCold => !_isLoaded && ColdRecord.IsStub(_record, _header);

    /// <summary>Where the value of a cold image is.</summary>
    public ColdLocator Locator => ColdRecord.LocatorOf(_record, _header);

    /// <summary>The salted hash of the key, which says whether the value is that of the key.</summary>
    public ulong Hash => PageWalk.HashOf(_store, _record, _header);

    /// <summary>Type, expiry and access byte.</summary>
    public RecordInfo Info => new(RecordHeader.Type(_header), RecordHeader.ExpiresAt(_record, _header), RecordHeader.Access(_header));

    /// <summary>Whether it is a string whose key and value are both in the record, and whose expiry does not slide.</summary>
    public bool IsPlainString =>
        RecordHeader.Type(_header) == RecordType.String
        && (_header & (_isLoaded ? RecordHeader.BlockKey : RecordHeader.BlockValue | RecordHeader.BlockKey)) == 0
        && !RecordHeader.Sliding(_record, _header).Slides;

    /// <summary>The sliding part of the expiry; <c>default</c> when it does not slide.</summary>
    public SlidingExpiry Sliding => RecordHeader.Sliding(_record, _header);

    /// <summary>
    /// Adds a reference to the value's block, instead of a copy; false when the value is inline. While it is held, writers copy the block.
    /// </summary>
    public bool TryReferenceBlock(out ValueBlock block)
    {
        if (_isLoaded || (_header & RecordHeader.BlockValue) == 0)
        {
            block = default;
            return false;
        }

        block = new ValueBlock(_store.Blocks, RecordHeader.ValueBlockOf(_record, _header));
        block.AddReference();
        return true;
    }

    /// <summary>Like <see cref="TryReferenceBlock"/> for a key so long that it is in a block of its own.</summary>
    public bool TryReferenceKeyBlock(out ValueBlock block)
    {
        if ((_header & RecordHeader.BlockKey) == 0)
        {
            block = default;
            return false;
        }

        block = new ValueBlock(_store.Blocks, RecordHeader.KeyBlockOf(_record, _header));
        block.AddReference();
        return true;
    }

    /// <summary>
    /// Takes a snapshot of a large collection in constant time, for <see cref="CollectionImage.FromTree"/> and
    /// <see cref="CollectionImage.ReleaseTree"/>; false when the whole value is in <see cref="Value"/>.
    /// </summary>
    public bool TryReferenceTree(out nint token)
    {
        if (_isLoaded || !CollectionTrees.IsTree(_record, _header))
        {
            token = 0;
            return false;
        }

        TreeHeader* tree = PackedForm.TreeOf(Value);
        if (Info.Type == RecordType.Stream)
        {
            // The groups are part of the snapshot and are found through the snapshot of the entries.
            TreeHeader* groups = PackedForm.SecondTreeOf(Value);
            tree->User3 = groups == null ? 0 : (nint)_store.Trees.TakeSnapshot(groups);
        }

        TreeSnapshot* snapshot = _store.Trees.TakeSnapshot(tree);
        if (tree->HasListNodes && snapshot->ListNodes == null)
            snapshot->ListNodes = _store.Trees.ListNodes.Copy(ListNodeHeap.RingOf(tree));

        token = (nint)snapshot;
        return true;
    }
}
