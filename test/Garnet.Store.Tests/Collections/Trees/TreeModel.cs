// A live tree beside a list of the same entries, and snapshots and copies of the tree beside copies of that list. Used by one test on one
// thread.
using Garnet.Store.Collections.Trees;
using Xunit;

namespace Garnet.Store.Tests.Collections.Trees;

/// <summary>Applies random changes to a tree and to a list, and compares them.</summary>
internal sealed unsafe class TreeModel<TOrder> : IDisposable
    where TOrder : struct, ITreeOrder
{
    private readonly TreeStore _forest;
    private readonly CountedTree<TOrder> _trees;
    private TreeHeader* _tree;
    private readonly Random _random;
    private readonly Func<Random, byte[]> _newEntry;
    private readonly KeyMaker _keyOf;
    private readonly List<byte[]> _entries = [];
    private readonly List<(nint Frozen, byte[][] Entries)> _frozen = [];
    private (nint Tree, byte[][] Entries)? _copy;

    public TreeModel(TreeStore forest, CountedTree<TOrder> trees, Random random, Func<Random, byte[]> newEntry, KeyMaker keyOf)
    {
        _forest = forest;
        _trees = trees;
        _random = random;
        _newEntry = newEntry;
        _keyOf = keyOf;
        _tree = forest.Create();
    }

    public delegate TreeKey KeyMaker(byte[] entry);

    public int Count => _entries.Count;

    public int Levels => _tree->Root == null ? 0 : _tree->Root->Level + 1;

    public long Bytes => _tree->Bytes;

    /// <summary>Applies one change; the size of the tree tends towards <paramref name="target"/>.</summary>
    public void Change(int target)
    {
        int kind = _random.Next(100);
        bool isGrowing = _random.Next(2 * target) >= _entries.Count;
        if (kind < 3 && _entries.Count > 0)
        {
            int first = _random.Next(_entries.Count);
            int count = _random.Next(Math.Min(_entries.Count - first, _random.Next(10) == 0 ? _entries.Count : 40) + 1);
            _trees.RemoveRange(_tree, first, count);
            _entries.RemoveRange(first, count);
        }
        else if (isGrowing)
        {
            Put(_newEntry(_random));
        }
        else if (_entries.Count > 0)
        {
            RemoveSome();
        }
    }

    /// <summary>Inserts an entry, or replaces the one with its key; in trees without keys, inserts it at a random position.</summary>
    public void Put(byte[] entry)
    {
        TreeCursor cursor = default;
        if (TOrder.Words == 0)
        {
            int index = _random.Next(4) switch
            {
                0 => 0,
                1 => _entries.Count,
                _ => _random.Next(_entries.Count + 1),
            };
            cursor.Seek(new TreeView(_tree), index);
            _trees.Insert(_tree, ref cursor, entry);
            _entries.Insert(index, entry);
            return;
        }

        bool isFound = _trees.Find(new TreeView(_tree), _keyOf(entry), ref cursor);
        int rank = Place(entry, out bool isExpected);
        Assert.Equal(isExpected, isFound);
        Assert.Equal(rank, cursor.Rank);
        Assert.Equal(rank == _entries.Count, cursor.IsEnd);
        if (!isFound)
        {
            if (_random.Next(2) == 0 && !cursor.IsEnd)
            {
                // Reading the next entry must not change the cursor's position.
                Assert.Equal(_entries[rank], cursor.Entry.ToArray());
            }

            _trees.Insert(_tree, ref cursor, entry);
            _entries.Insert(rank, entry);
        }
        else
        {
            if (_random.Next(2) == 0 || !TryExtend(ref cursor, _entries[rank], entry))
                _trees.Replace(_tree, ref cursor, entry);

            _entries[rank] = entry;
        }

        Assert.Equal(entry, cursor.Entry.ToArray());
        Assert.Equal(rank, cursor.Rank);
        Assert.True(_trees.TryGet(new TreeView(_tree), _keyOf(entry), out ReadOnlySpan<byte> got));
        Assert.Equal(entry, got.ToArray());
    }

    public void Freeze() => _frozen.Add(((nint)_forest.TakeSnapshot(_tree), [.. _entries]));

    /// <summary>Verifies and drops the last copy, and makes another one; changes continue on either of the two trees.</summary>
    public void Copy()
    {
        DropCopy();
        TreeHeader* copy = _forest.Create();
        _trees.Copy(_tree, copy);
        bool isExchanged = _random.Next(2) == 0;
        _copy = ((nint)(isExchanged ? _tree : copy), [.. _entries]);
        _tree = isExchanged ? copy : _tree;
    }

    public void ReleaseOne()
    {
        if (_frozen.Count > 0)
        {
            int index = _random.Next(_frozen.Count);
            Verify(new TreeView((TreeSnapshot*)_frozen[index].Frozen), _frozen[index].Entries);
            _forest.Release((TreeSnapshot*)_frozen[index].Frozen);
            _frozen.RemoveAt(index);
        }
    }

    public void VerifyAll()
    {
        VerifyTree(_tree, _entries);
        if (_copy is var (copy, copied))
            VerifyTree((TreeHeader*)copy, copied);

        foreach ((nint frozen, byte[][] entries) in _frozen)
            Verify(new TreeView((TreeSnapshot*)frozen), entries);
    }

    /// <summary>Verifies all snapshots and drops them and the tree in random order.</summary>
    public void Dispose()
    {
        for (int dropAt = _random.Next(_frozen.Count + 1); dropAt > 0; dropAt--)
        {
            ReleaseOne();
            _forest.Reclaimer.Run(_random.Next(50));
        }

        DropCopy();
        _forest.Drop(_tree);
        while (_frozen.Count > 0)
        {
            _forest.Reclaimer.Run(_random.Next(50));
            ReleaseOne();
        }
    }

    private void DropCopy()
    {
        if (_copy is var (copy, entries))
        {
            VerifyTree((TreeHeader*)copy, entries);
            _forest.Drop((TreeHeader*)copy);
            _copy = null;
        }
    }

    private void VerifyTree(TreeHeader* tree, IReadOnlyList<byte[]> entries)
    {
        Verify(new TreeView(tree), entries);
        if (tree->Root != null)
            Assert.Equal(entries.Count, new TreeStructure<TOrder>(_trees.Order).Check(tree->Root, tree->Root->Level));
    }

    private bool TryExtend(ref TreeCursor cursor, byte[] old, byte[] entry)
    {
        if (entry.Length <= old.Length || !_trees.TryExtend(_tree, ref cursor, entry.Length, out Span<byte> longer))
            return false;

        Assert.Equal(old, longer[..old.Length].ToArray());
        entry.CopyTo(longer);
        return true;
    }

    private void RemoveSome()
    {
        TreeCursor cursor = default;
        int index = _random.Next(_entries.Count);
        int run = 1 + (_random.Next(4) == 0 ? _random.Next(5) : 0);
        cursor.Seek(new TreeView(_tree), index);
        for (; run > 0 && index < _entries.Count; run--)
        {
            Assert.Equal(_entries[index], cursor.Entry.ToArray());
            _trees.Remove(_tree, ref cursor);
            _entries.RemoveAt(index);
            Assert.Equal(index, cursor.Rank);
            Assert.Equal(index == _entries.Count, cursor.IsEnd);
        }

        if (TOrder.Words == 0)
        {
            byte[] entry = _newEntry(_random);
            _trees.Insert(_tree, ref cursor, entry);
            _entries.Insert(index, entry);
        }
    }

    private int Place(byte[] entry, out bool isFound)
    {
        int low = 0;
        int high = _entries.Count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            int order = _trees.Order.Compare(_keyOf(entry), _entries[middle]);
            if (order == 0)
            {
                isFound = true;
                return middle;
            }

            (low, high) = order > 0 ? (middle + 1, high) : (low, middle);
        }

        isFound = false;
        return low;
    }

    private void Verify(TreeView view, IReadOnlyList<byte[]> entries)
    {
        Assert.Equal(entries.Count, view.Count);
        TreeCursor cursor = default;
        cursor.Seek(view, 0);
        for (int i = 0; i < entries.Count; i++)
        {
            Assert.True(cursor.Entry.SequenceEqual(entries[i]));
            Assert.Equal(i + 1 < entries.Count, cursor.MoveNext());
        }

        Assert.True(cursor.IsEnd);
        for (int i = entries.Count - 1; i >= 0; i--)
        {
            Assert.True(cursor.MovePrevious());
            Assert.True(cursor.Entry.SequenceEqual(entries[i]));
        }

        Assert.False(cursor.MovePrevious());
        if (TOrder.Words > 0)
            VerifyNear(view, entries);

        for (int i = 0; i < 20 && entries.Count > 0; i++)
        {
            int index = _random.Next(entries.Count);
            cursor.Seek(view, index);
            Assert.Equal(index, cursor.Rank);
            Assert.True(cursor.Entry.SequenceEqual(entries[index]));
            if (TOrder.Words > 0)
            {
                Assert.True(_trees.Find(view, _keyOf(entries[index]), ref cursor));
                Assert.Equal(index, cursor.Rank);
            }
        }
    }

    // In the order of the tree, so that the finger stays for many entries, and from anywhere to anywhere.
    private void VerifyNear(TreeView view, IReadOnlyList<byte[]> entries)
    {
        LeafFinger finger = default;
        for (int i = 0; i < entries.Count; i++)
        {
            byte[] entry = entries[i % 50 == 0 ? _random.Next(entries.Count) : i];
            TreeNode* leaf = _trees.FindNear(view, _keyOf(entry), ref finger, out int slot, out bool isFound);
            Assert.True(isFound);
            Assert.True(LeafNode.Entry(leaf, slot).SequenceEqual(entry));
            Assert.True(leaf == _trees.FindLeafNear(view, _keyOf(entry), ref finger));
        }

        TreeCursor cursor = default;
        for (int i = 0; i < 50; i++)
        {
            byte[] entry = _newEntry(_random);
            bool isThere = _trees.Find(view, _keyOf(entry), ref cursor);
            _trees.FindNear(view, _keyOf(entry), ref finger, out _, out bool isFound);
            Assert.Equal(isThere, isFound);
        }
    }
}
