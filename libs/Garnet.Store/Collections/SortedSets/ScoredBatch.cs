// Members of a sorted set or set that are looked up together in other ones. Owned by one command, under the latches of all of them.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Garnet.Store.Collections.Sets;
using Garnet.Store.Collections.Trees;
using Garnet.Store.Memory;

namespace Garnet.Store.Collections.SortedSets;

/// <summary>
/// Up to a few thousand members with their scores. Looking up members in a tree one by one, in the order of their scores, costs a search
/// from the root through memory in no order. So a batch is hashed first, and its members are looked up roughly in the order of the
/// fingerprints, and then verified in their own order, which is often similar to that of the other scores. Its memory is bounded: members
/// stay where they are, except for integers, whose text is rendered here.
/// </summary>
internal sealed unsafe class ScoredBatch : IDisposable
{
    private const int FirstSize = 64;
    private const int MaxSize = 8192;
    private const int BucketBits = 10;
    private const int DigitBytes = 20;
    private const int Group = 16;

    private readonly ScratchList<Item> _items = new();
    private readonly ScratchList<byte> _digits = new();
    private readonly ScratchList<int> _order = new();
    private int _size = FirstSize;
    private bool _isHashed;
    private bool _isOrdered;

    private enum Finding : byte
    {
        Absent,
        Present,
        Unverified,
    }

    /// <summary>Number of members left.</summary>
    public int Count => _items.Count;

    /// <summary>A member.</summary>
    public ReadOnlySpan<byte> Member(int index) => _items[index].Member;

    /// <summary>A member's score, which the caller may change.</summary>
    public ref double Score(int index) => ref _items[index].Score;

    /// <summary>A member's score where it came from.</summary>
    public double OwnScore(int index) => _items[index].Own;

    /// <summary>A member's score where it was found last.</summary>
    public double FoundScore(int index) => _items[index].Found;

    /// <summary>Takes the next members; false if there are none. The first batch is small, for commands that stop early.</summary>
    public bool Fill(scoped ref SortedSetEnumerator members)
    {
        Begin();
        while (Count < _size && members.MoveNext())
        {
            ScoredMember member = members.Current;
            Add(member.Element, member.Score);
        }

        _size = Math.Min(MaxSize, _size * 8);
        return Count > 0;
    }

    /// <summary>Takes the next members of a set, each with a score.</summary>
    public bool Fill(scoped ref SetEnumerator members, double score)
    {
        Begin();
        while (Count < _size && members.MoveNext())
            Add(members.Element, score);

        _size = Math.Min(MaxSize, _size * 8);
        return Count > 0;
    }

    /// <summary>Looks the members up in a sorted set, and keeps those that are there, or those that are not.</summary>
    public void Keep(bool present, scoped in SortedSetView set)
    {
        if (set.IsTree && set.Length > 0)
        {
            FindFingerprints(set);
            Verify(set);
        }
        else
        {
            foreach (ref Item item in _items.Span)
                item.Finding = set.TryGetScore(item.Member, out item.Found) ? Finding.Present : Finding.Absent;
        }

        Remove(present);
    }

    /// <summary>Looks the members up in a set, in which all have a given score.</summary>
    public void Keep(bool present, scoped in SetView set, double score)
    {
        foreach (ref Item item in _items.Span)
        {
            item.Found = score;
            item.Finding = set.Contains(item.Member) ? Finding.Present : Finding.Absent;
        }

        Remove(present);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _items.Dispose();
        _digits.Dispose();
        _order.Dispose();
    }

    private void Begin()
    {
        _items.Truncate(0);
        _digits.Truncate(0);
        _isHashed = false;
        _isOrdered = false;
    }

    private void Add(scoped in PackedElement member, double score)
    {
        // Rendered integers are overwritten soon; everything else lies in native memory that no one changes under the latch.
        ReadOnlySpan<byte> text = member.Span;
        if (member.IsInteger)
        {
            int start = _digits.Count;
            if (start == 0)
            {
                _digits.AddUnset(_size * DigitBytes);
                _digits.Truncate(0);
            }

            Span<byte> copy = _digits.AddUnset(text.Length)[start..];
            text.CopyTo(copy);
            text = copy;
        }

        _items.Add(new Item((byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(text)), text.Length, score));
    }

    // A group at a time, in steps: what one step needs from memory has been on its way since the step before.
    private void FindFingerprints(scoped in SortedSetView set)
    {
        SortByFingerprint(set.Trees);
        Span<Item> items = _items.Span;
        Span<int> order = _order.Span;
        LeafSearch* searches = stackalloc LeafSearch[Group];
        var finger = default(LeafFinger);
        for (int first = 0; first < order.Length; first += Group)
        {
            Span<int> group = order[first..Math.Min(order.Length, first + Group)];
            for (int i = 0; i < group.Length; i++)
            {
                TreeKey key = FingerprintOrder.KeyOf(items[group[i]].Print);
                searches[i] = new LeafSearch { Leaf = set.Trees.Fingerprints.FindLeafNear(set.Fingerprints, key, ref finger) };
            }

            for (int i = 0; i < group.Length; i++)
                searches[i].BeginByTag(items[group[i]].Print);

            for (int i = 0; i < group.Length; i++)
            {
                ref Item item = ref items[group[i]];
                item.Finding = FindFingerprint(set, searches[i], ref item);
            }
        }
    }

    // Where the entry may be in the next leaf, or is another member's, the search for a single member decides.
    private static Finding FindFingerprint(scoped in SortedSetView set, LeafSearch search, ref Item item)
    {
        for (; search.Low < search.High; search.Low++)
        {
            ReadOnlySpan<byte> entry = LeafNode.Entry(search.Leaf, search.Low);
            ulong print = FingerprintOrder.PrintIn(entry);
            if (print == item.Print)
            {
                item.Found = ScoreEntry.PrintScore(entry);
                ReadOnlySpan<byte> inside = ScoreEntry.PrintMember(entry);
                return !inside.IsEmpty && inside.SequenceEqual(item.Member) ? Finding.Present : Finding.Unverified;
            }

            if (print > item.Print)
                return Finding.Absent;
        }

        return search.Low < search.Leaf->Count ? Finding.Absent : FindAlone(set, ref item);
    }

    private static Finding FindAlone(scoped in SortedSetView set, ref Item item) =>
        set.TryGetScore(item.Member, out item.Found) ? Finding.Present : Finding.Absent;

    // The member itself is only in the tree of scores, often behind the one that was found there last.
    private void Verify(scoped in SortedSetView set)
    {
        Span<Item> items = _items.Span;
        LeafSearch* searches = stackalloc LeafSearch[Group];
        LeafSearch last = default;
        int waiting = 0;
        for (int i = 0; i < items.Length; i++)
        {
            ref Item item = ref items[i];
            if (item.Finding != Finding.Unverified)
                continue;

            if (
                waiting == 0
                && last.Leaf != null
                && ++last.Low < last.Leaf->Count
                && ScoreEntry.Is(LeafNode.Entry(last.Leaf, last.Low), item.Found, item.Member)
            )
            {
                item.Finding = Finding.Present;
                continue;
            }

            searches[waiting++].Item = i;
            if (waiting == Group)
            {
                VerifyGroup(set, items, new Span<LeafSearch>(searches, waiting));
                last = searches[waiting - 1];
                waiting = 0;
            }
        }

        VerifyGroup(set, items, new Span<LeafSearch>(searches, waiting));
    }

    // The binary searches of a group go on together, step by step, so that each waits for memory while the others work.
    private static void VerifyGroup(scoped in SortedSetView set, Span<Item> items, Span<LeafSearch> searches)
    {
        var finger = default(LeafFinger);
        foreach (ref LeafSearch search in searches)
        {
            ref Item item = ref items[search.Item];
            search.Leaf = set.Trees.Scores.FindLeafNear(set.Tree, ScoreOrder.KeyOf(item.Found, item.Member), ref finger);
        }

        foreach (ref LeafSearch search in searches)
            search.Begin();

        for (bool isBusy = true; isBusy; )
        {
            isBusy = false;
            foreach (ref LeafSearch search in searches)
            {
                ref Item item = ref items[search.Item];
                if (item.Finding == Finding.Unverified)
                {
                    isBusy = true;
                    Advance(set, ref search, ref item);
                }
            }
        }
    }

    private static void Advance(scoped in SortedSetView set, ref LeafSearch search, ref Item item)
    {
        if (search.Low >= search.High)
        {
            item.Finding = FindAlone(set, ref item);
            return;
        }

        int order = set.Trees.Scores.Order.Compare(ScoreOrder.KeyOf(item.Found, item.Member), LeafNode.Entry(search.Leaf, search.Middle));
        if (order == 0)
        {
            search.Low = search.Middle;
            item.Finding = Finding.Present;
            return;
        }

        search.Narrow(isBehind: order > 0);
    }

    // By the upper bits, which is enough to come to each leaf once or twice. All trees of a store have the same fingerprints.
    private void SortByFingerprint(TreeStore trees)
    {
        if (_isOrdered)
            return;

        Span<int> ends = stackalloc int[1 << BucketBits];
        ends.Clear();
        Span<Item> items = _items.Span;
        foreach (ref Item item in items)
        {
            if (!_isHashed)
                item.Print = trees.Fingerprints.Order.PrintOf(item.Member);

            ends[(int)(item.Print >> (64 - BucketBits))]++;
        }

        for (int i = 1; i < ends.Length; i++)
            ends[i] += ends[i - 1];

        _order.Truncate(0);
        Span<int> order = _order.AddUnset(items.Length);
        for (int i = items.Length - 1; i >= 0; i--)
            order[--ends[(int)(items[i].Print >> (64 - BucketBits))]] = i;

        _isHashed = true;
        _isOrdered = true;
    }

    // The order becomes invalid, unless all stay.
    private void Remove(bool present)
    {
        Span<Item> items = _items.Span;
        int left = 0;
        foreach (ref Item item in items)
        {
            if (item.Finding == Finding.Present == present)
                items[left++] = item;
        }

        if (left < items.Length)
        {
            _items.Truncate(left);
            _isOrdered = false;
        }
    }

    private struct Item(byte* text, int length, double score)
    {
        public readonly double Own = score;
        public double Score = score;
        public double Found;
        public ulong Print;
        public Finding Finding;
        private readonly byte* _text = text;
        private readonly int _length = length;

        public readonly ReadOnlySpan<byte> Member => new(_text, _length);
    }

    // The search for an item in a leaf, between two slots.
    private struct LeafSearch
    {
        public TreeNode* Leaf;
        public int Low;
        public int High;
        public int Item;

        public readonly int Middle => (Low + High) >> 1;

        public void Begin()
        {
            Low = 0;
            High = Leaf == null ? 0 : Leaf->Count;
            Prefetch();
        }

        public void BeginByTag(ulong firstWord)
        {
            Low = LeafNode.FindTag(Leaf, LeafNode.TagOf(Leaf, firstWord), out High);
            if (Low < High)
                LeafNode.PrefetchEntry(Leaf, Low);
        }

        public void Narrow(bool isBehind)
        {
            int middle = Middle;
            Low = isBehind ? middle + 1 : Low;
            High = isBehind ? High : middle;
            Prefetch();
        }

        private readonly void Prefetch()
        {
            if (Low < High)
                LeafNode.PrefetchEntry(Leaf, Middle);
        }
    }
}
