// An immutable snapshot of one large collection, for replies that are written in pieces. Taken under the key's latch, then used without
// latches by one thread at a time.
using Garnet.Store.Collections.Hashes;
using Garnet.Store.Collections.Lists;
using Garnet.Store.Collections.Sets;
using Garnet.Store.Collections.SortedSets;
using Garnet.Store.Collections.Streams;
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections;

/// <summary>
/// Preserves the collection's tree while writers copy the nodes they change. Must be disposed, no later than its store.
/// </summary>
internal sealed unsafe class CollectionSnapshot : IDisposable
{
    /// <summary>Replies of about this size or more are written in pieces.</summary>
    public const long LargeBytes = 1 << 20;

    private readonly TreeStore _trees;
    private TreeSnapshot* _snapshot;

    private CollectionSnapshot(TreeStore trees, TreeSnapshot* snapshot)
    {
        _trees = trees;
        _snapshot = snapshot;
    }

    /// <summary>The elements of a list.</summary>
    public ListEnumerator Elements(long first, long count, bool isReverse) =>
        new ListView(_trees, _snapshot).Range(first, count, isReverse);

    /// <summary>The members of a set, starting at a position.</summary>
    public SetEnumerator Members(long first) => new(new SetView(_trees, _snapshot), first);

    /// <summary>The fields of a hash, starting at a position, that have not expired at the given time in Unix milliseconds.</summary>
    public HashEnumerator Fields(long first, long nowMs) => new(new HashView(_trees, _snapshot, nowMs), first);

    /// <summary>The members of a sorted set.</summary>
    public SortedSetEnumerator Scored(long first, long count, bool isReverse) =>
        new SortedSetView(_trees, _snapshot).Range(first, count, isReverse);

    /// <summary>The entries of a stream.</summary>
    public StreamEnumerator Entries(StreamId start, StreamId end, bool isReverse) =>
        new(_trees, new TreeView(_snapshot), start, end, isReverse);

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_snapshot != null)
        {
            _trees.Release(_snapshot);
            _snapshot = null;
        }
    }

    /// <summary>A snapshot of a value stored in a tree if the requested part of it makes a large reply; otherwise null.</summary>
    /// <param name="storage">The value.</param>
    /// <param name="part">Number of elements requested.</param>
    /// <param name="whole">Number of elements in the value.</param>
    internal static CollectionSnapshot? TakeIfLarge(in ValueStorage storage, long part, long whole)
    {
        if (!storage.Exists || !PackedForm.IsTree(storage.Bytes) || (double)storage.Tree->Bytes * part / whole < LargeBytes)
            return null;

        return new CollectionSnapshot(storage.Trees, storage.Trees.TakeSnapshot(storage.Tree));
    }
}
