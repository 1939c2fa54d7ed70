// All elements of one collection of any type, in order; files, dumps and logs are written from it. Lives on the stack of one walk.
using Garnet.Store.Collections.Hashes;
using Garnet.Store.Collections.Lists;
using Garnet.Store.Collections.Sets;
using Garnet.Store.Collections.SortedSets;
using Garnet.Store.Collections.Trees;
using Garnet.Store.DataTypes;
using Garnet.Store.Snapshots;

namespace Garnet.Store.Collections;

/// <summary>
/// Walks a collection without a session: under the latch of its key, or over bytes that do not change. Lists are walked from head to tail,
/// sorted sets in ascending order, streams by ID; expired fields are included.
/// </summary>
internal unsafe ref struct CollectionImage
{
    private readonly ReadOnlySpan<byte> _bytes;
    private HashEnumerator _fields;
    private SetEnumerator _members;
    private SortedSetEnumerator _scored;
    private readonly ListNodeRing* _nodes;
    private int _nextNode;
    private ListEnumerator _elements;

    private CollectionImage(TreeStore? trees, RecordType type, ReadOnlySpan<byte> bytes, TreeSnapshot* snapshot)
    {
        Type = type;
        _bytes = bytes;
        switch (type)
        {
            case RecordType.Hash:
                HashView hash = snapshot == null ? new HashView(bytes, trees, long.MinValue) : new HashView(trees!, snapshot);
                Count = hash.Length;
                ExpiringFields = snapshot == null ? hash.ExpiringFields : snapshot->User0;
                _fields = hash.GetEnumerator();
                break;
            case RecordType.Set:
                SetView set = snapshot == null ? new SetView(bytes, trees) : new SetView(trees!, snapshot);
                Count = set.Length;
                _members = set.GetEnumerator();
                break;
            case RecordType.SortedSet:
                SortedSetView zset = snapshot == null ? new SortedSetView(bytes, trees) : new SortedSetView(trees!, snapshot);
                Count = zset.Length;
                _scored = zset.GetEnumerator();
                break;
            case RecordType.List:
                ListView list = snapshot == null ? new ListView(bytes, trees) : new ListView(trees!, snapshot);
                Count = list.Length;
                _nodes =
                    snapshot != null ? snapshot->ListNodes
                    : trees is not null && PackedForm.IsTree(bytes) ? ListNodeHeap.RingOf(PackedForm.TreeOf(bytes))
                    : null;
                _elements = list.Range(0, Count);
                break;
            default:
                throw new ArgumentException($"The type {type} has no elements.", nameof(type));
        }
    }

    /// <summary>The collection's type.</summary>
    public RecordType Type { get; }

    /// <summary>Whether the order of the elements is part of the value.</summary>
    public readonly bool IsOrdered => Type == RecordType.List;

    /// <summary>Whether each element has a <see cref="Second"/>.</summary>
    public readonly bool HasSeconds => Type == RecordType.Hash;

    /// <summary>Whether each element has a <see cref="Score"/>.</summary>
    public readonly bool HasScores => Type == RecordType.SortedSet;

    /// <summary>Number of elements, fields or members.</summary>
    public long Count { get; }

    /// <summary>Number of a hash's fields that have an expiry.</summary>
    public long ExpiringFields { get; }

    /// <summary>The encoding as reported by OBJECT ENCODING.</summary>
    public readonly ReadOnlySpan<byte> EncodingName => DataTypeTable.Of(Type).EncodingOf(_bytes);

    /// <summary>Bytes per integer of a set encoded as an intset; 0 for every other collection.</summary>
    public readonly int IntegerWidth =>
        Type == RecordType.Set && PackedForm.Kind(_bytes) == PackedForm.Integers ? IntegerArray.Width(_bytes) : 0;

    /// <summary>A list's element, a set's or sorted set's member, a hash's field.</summary>
    public readonly PackedElement First =>
        Type switch
        {
            RecordType.Hash => _fields.Current.FieldElement,
            RecordType.Set => _members.Element,
            RecordType.SortedSet => _scored.Current.Element,
            _ => _elements.Element,
        };

    /// <summary>The value of a hash's field.</summary>
    public readonly PackedElement Second => _fields.Current.ValueElement;

    /// <summary>The score of a sorted set's member.</summary>
    public readonly double Score => _scored.Current.Score;

    /// <summary>When a hash's field expires, in Unix milliseconds; -1 for never.</summary>
    public readonly long ExpiresAtMs => Type == RecordType.Hash ? _fields.Current.ExpiresAtMs : -1;

    /// <summary>
    /// The collection in a copy of a record's value for which <see cref="SnapshotImage.TryReferenceTree"/> returned false. The bytes must
    /// not change during the walk.
    /// </summary>
    public static CollectionImage FromBytes(RecordType type, ReadOnlySpan<byte> value) =>
        PackedForm.Kind(value) != PackedForm.Tree
            ? new CollectionImage(null, type, value, null)
            : throw new ArgumentException("The value is stored in a tree.", nameof(value));

    /// <summary>
    /// The collection of a tree snapshot obtained from <see cref="SnapshotImage.TryReferenceTree"/>, with a copy of the record's value. No
    /// latch is needed; the reference must be held during the walk.
    /// </summary>
    public static CollectionImage FromTree(HybridLogStore store, RecordType type, ReadOnlySpan<byte> value, nint token) =>
        new(store.Trees, type, value, (TreeSnapshot*)token);

    /// <summary>Releases the reference to a tree snapshot; callable from any thread.</summary>
    public static void ReleaseTree(HybridLogStore store, nint token)
    {
        // Only streams have a second tree snapshot.
        var second = (TreeSnapshot*)(nint)((TreeSnapshot*)token)->User3;
        store.Trees.Release((TreeSnapshot*)token);
        if (second != null)
            store.Trees.Release(second);
    }

    internal static CollectionImage FromRecord(TreeStore trees, RecordType type, ReadOnlySpan<byte> value) => new(trees, type, value, null);

    /// <summary>Number of nodes the list would have in Valkey; one for a listpack.</summary>
    public readonly int Nodes => _nodes == null ? 1 : _nodes->Count;

    /// <summary>
    /// Moves to the list's next node, which holds the next <paramref name="elements"/> elements; a plain node holds a single one. False at
    /// the end.
    /// </summary>
    public bool MoveToNode(out long elements, out bool isPlain)
    {
        elements = 0;
        isPlain = false;
        if (_nextNode == Nodes)
            return false;

        ListNode node = _nodes == null ? ListNode.Packed(Count, 0) : ListNodeRing.At(_nodes, _nextNode);
        _nextNode++;
        elements = node.Count;
        isPlain = node.IsPlain;
        return true;
    }

    /// <summary>The members of a set that has an <see cref="IntegerWidth"/>: integers of that width, ascending, little-endian.</summary>
    public readonly ReadOnlySpan<byte> IntegerBytes => _bytes.Slice(PackedForm.HeaderBytes, IntegerArray.Count(_bytes) * IntegerWidth);

    /// <summary>
    /// All members of a set, or all fields and values of a hash in turn, if they are stored contiguously; false if they are not, or if some
    /// fields have an expiry.
    /// </summary>
    public readonly bool TryGetRun(out PackedRun run)
    {
        bool isRun =
            (Type is RecordType.Hash or RecordType.Set)
            && ExpiringFields == 0
            && PackedForm.Kind(_bytes) == PackedForm.Entries
            && (PackedForm.FormOf(_bytes) & PackedForm.HasExpiries) == 0;
        run = isRun ? new PackedRun(_bytes[Math.Min(PackedForm.HeaderBytes, _bytes.Length)..]) : default;
        return isRun;
    }

    /// <summary>Moves over the next contiguous elements of a list, at most <paramref name="most"/>; false at the end.</summary>
    public bool MoveToRun(long most, out PackedRun run) => _elements.MoveToRun(most, out run);

    /// <summary>Moves to the next element; false at the end.</summary>
    public bool MoveNext() =>
        Type switch
        {
            RecordType.Hash => _fields.MoveNext(),
            RecordType.Set => _members.MoveNext(),
            RecordType.SortedSet => _scored.MoveNext(),
            _ => _elements.MoveNext(),
        };
}
