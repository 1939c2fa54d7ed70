// One key as of a snapshot's flip. Valid during the call it is passed to.
using Garnet.Store.Collections;
using Garnet.Store.Collections.Lists;
using Garnet.Store.Collections.Trees;
using Garnet.Store.Records;

namespace Garnet.Store.Snapshots;

/// <summary>Key, value and facts of a record; the bytes are the store's own and stay still only during the call.</summary>
public readonly unsafe ref struct SnapshotImage
{
    private readonly HybridLogStore _store;
    private readonly byte* _record;
    private readonly ulong _header;

    internal SnapshotImage(HybridLogStore store, byte* record, int database, int slot)
    {
        _store = store;
        _record = record;
        _header = *(ulong*)record;
        Database = database;
        Slot = slot;
    }

    /// <summary>The logical database at the flip.</summary>
    public int Database { get; }

    /// <summary>
    /// Number of the epoch slot of whoever hands the image over: until the call ends nobody else hands over images under this number.
    /// </summary>
    public int Slot { get; }

    /// <summary>The key.</summary>
    public ReadOnlySpan<byte> Key => RecordHeader.Key(_record, _header);

    /// <summary>The value.</summary>
    public ReadOnlySpan<byte> Value => RecordHeader.Value(_record, _header);

    /// <summary>Type, expiry and access byte.</summary>
    public RecordInfo Info => new(RecordHeader.Type(_header), RecordHeader.ExpiresAt(_record, _header), RecordHeader.Access(_header));

    /// <summary>By what the expiry slides; <c>default</c> when it does not.</summary>
    public SlidingExpiry Sliding => RecordHeader.Sliding(_record, _header);

    /// <summary>
    /// A counted reference to the value's block, instead of a copy; false when the value lies inline. While it is held, writers copy the
    /// block.
    /// </summary>
    public bool TryReferenceBlock(out ValueBlock block)
    {
        if ((_header & RecordHeader.BlockValue) == 0)
        {
            block = default;
            return false;
        }

        block = new ValueBlock(_store.Blocks, RecordHeader.ValueBlockOf(_record, _header));
        block.AddReference();
        return true;
    }

    /// <summary>As <see cref="TryReferenceBlock"/> for a key so long that it lies in a block of its own.</summary>
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
    /// A counted reference to an unchanging picture of a large collection, made in constant time, for
    /// <see cref="CollectionImage.FromTree"/> and <see cref="CollectionImage.ReleaseTree"/>; false when all of the value is in
    /// <see cref="Value"/>.
    /// </summary>
    public bool TryReferenceTree(out nint token)
    {
        if (!CollectionTrees.IsTree(_record, _header))
        {
            token = 0;
            return false;
        }

        TreeHeader* tree = PackedForm.TreeOf(Value);
        if (Info.Type == RecordType.Stream)
        {
            // The groups belong to the picture; they are found by way of the entries' picture.
            TreeHeader* groups = PackedForm.SecondTreeOf(Value);
            tree->User3 = groups == null ? 0 : (nint)_store.Trees.TakeSnapshot(groups);
        }

        TreeSnapshot* picture = _store.Trees.TakeSnapshot(tree);
        if (tree->HasListNodes && picture->ListNodes == null)
        {
            picture->ListNodes = _store.Trees.ListNodes.Copy(ListNodeHeap.RingOf(tree));
        }

        token = (nint)picture;
        return true;
    }
}
