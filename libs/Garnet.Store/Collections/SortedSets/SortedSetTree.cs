// Reads and changes of large sorted sets: a tree by score and member, and a tree of fingerprints that maps a member to its score. Used
// under the latch of the key.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.SortedSets;

/// <summary>
/// The member is stored once, in the tree of scores. A scan walks the fingerprints and finds each member among those with its score; where
/// more than <see cref="LongRun"/> members share a score, their fingerprints store the member as well, so that no search is needed.
/// </summary>
internal static unsafe class SortedSetTree
{
    public const int LongRun = 32;

    /// <summary>Converts a packed sorted set into a large one.</summary>
    public static void Convert(ref ValueStorage storage)
    {
        TreeStore trees = storage.Trees;
        TreeHeader* scores = trees.Create();
        TreeHeader* fingerprints = trees.Create();
        ReadOnlySpan<byte> packed = storage.Bytes;
        int form = packed[0];
        var view = new SortedSetView(packed, trees: null);
        foreach (ScoredMember each in view)
            Insert(trees, scores, fingerprints, each.Member, each.Score);

        storage.BecomeTree(form, scores, fingerprints);
    }

    public static bool TryGetScore(scoped in SortedSetView view, ReadOnlySpan<byte> member, out double score)
    {
        ulong fingerprint = view.Trees.Fingerprints.Order.PrintOf(member);
        var finger = default(LeafFinger);
        TreeNode* leaf = view.Trees.Fingerprints.FindNear(
            view.Fingerprints,
            FingerprintOrder.KeyOf(fingerprint),
            ref finger,
            out int slot,
            out _
        );
        if (leaf == null || slot == leaf->Count)
            return TryGetScoreByCursor(view, member, out score);

        ReadOnlySpan<byte> entry = LeafNode.Entry(leaf, slot);
        if (FingerprintOrder.PrintIn(entry) != fingerprint)
        {
            score = double.NaN;
            return false;
        }

        score = ScoreEntry.PrintScore(entry);
        ReadOnlySpan<byte> inside = ScoreEntry.PrintMember(entry);
        bool isFound = inside.IsEmpty
            ? view.Trees.Scores.TryGet(view.Tree, ScoreOrder.KeyOf(score, member), out _)
            : inside.SequenceEqual(member);
        return isFound || TryGetScoreByCursor(view, member, out score);
    }

    // Also where the entry is in the next leaf, or several members share a fingerprint.
    private static bool TryGetScoreByCursor(scoped in SortedSetView view, ReadOnlySpan<byte> member, out double score)
    {
        var cursor = default(TreeCursor);
        bool isFound = TryFindFingerprint(view.Trees, view.Tree, view.Fingerprints, member, ref cursor);
        score = isFound ? ScoreEntry.PrintScore(TreeEntry.At(ref cursor)) : double.NaN;
        return isFound;
    }

    public static long Rank(scoped in SortedSetView view, ReadOnlySpan<byte> member)
    {
        if (!TryGetScore(view, member, out double score))
            return -1;

        var cursor = default(TreeCursor);
        view.Trees.Scores.Find(view.Tree, ScoreOrder.KeyOf(score, member), ref cursor);
        return cursor.Rank;
    }

    public static RankRange RanksOf(scoped in SortedSetView view, in ScoreRange range)
    {
        long first = RankOf(view, range.IsMinExclusive ? ScoreOrder.KeyBehind(range.Min) : ScoreOrder.KeyOf(range.Min, default));
        long end = RankOf(view, range.IsMaxExclusive ? ScoreOrder.KeyOf(range.Max, default) : ScoreOrder.KeyBehind(range.Max));
        return new RankRange(first, Math.Max(0, end - first));
    }

    public static RankRange RanksOf(scoped in SortedSetView view, in LexRange range)
    {
        double score = ScoreEntry.Score(TreeEntry.At(view.Tree, 0));
        long first = RankOfBound(view, score, range.Min, range.MinKind, isBehindWhenEqual: range.MinKind == LexBound.Exclusive);
        long end = RankOfBound(view, score, range.Max, range.MaxKind, isBehindWhenEqual: range.MaxKind == LexBound.Inclusive);
        return new RankRange(first, Math.Max(0, end - first));
    }

    /// <summary>See <see cref="SortedSetValue.Set"/>.</summary>
    public static bool Set(ref ValueStorage storage, ReadOnlySpan<byte> member, double score, out double oldScore)
    {
        TreeStore trees = storage.Trees;
        TreeHeader* scores = storage.Tree;
        TreeHeader* fingerprints = storage.SecondTree;
        var cursor = default(TreeCursor);
        var place = default(TreeCursor);
        if (!TryFindFingerprint(trees, new TreeView(scores), new TreeView(fingerprints), member, ref cursor, ref place, out bool isPlaced))
        {
            oldScore = double.NaN;
            storage.BeforeTreeChange();
            Insert(trees, scores, fingerprints, member, score);
            return true;
        }

        oldScore = ScoreEntry.PrintScore(TreeEntry.At(ref cursor));
        if (oldScore != score)
        {
            storage.BeforeTreeChange();
            if (!isPlaced)
                trees.Scores.Find(new TreeView(scores), ScoreOrder.KeyOf(oldScore, member), ref place);

            trees.Scores.Remove(scores, ref place);
            if (IsAlone(cursor))
            {
                // No other entry has this fingerprint: the entry stays in place and gets the new score.
                int run = AddScore(trees, scores, member, score);
                trees.Fingerprints.Replace(
                    fingerprints,
                    ref cursor,
                    ScoreEntry.MakeFingerprint(trees.Fingerprints.Order.PrintOf(member), score, run > LongRun ? member : default)
                );
                NameRun(trees, scores, fingerprints, score, run);
            }
            else
            {
                trees.Fingerprints.Remove(fingerprints, ref cursor);
                Insert(trees, scores, fingerprints, member, score);
            }
        }

        return false;
    }

    public static bool Remove(ref ValueStorage storage, ReadOnlySpan<byte> member)
    {
        TreeStore trees = storage.Trees;
        TreeHeader* scores = storage.Tree;
        TreeHeader* fingerprints = storage.SecondTree;
        var cursor = default(TreeCursor);
        var place = default(TreeCursor);
        if (!TryFindFingerprint(trees, new TreeView(scores), new TreeView(fingerprints), member, ref cursor, ref place, out bool isPlaced))
            return false;

        if (scores->Count == 1)
        {
            storage.Remove();
            return true;
        }

        if (!isPlaced)
            trees.Scores.Find(new TreeView(scores), ScoreOrder.KeyOf(ScoreEntry.PrintScore(TreeEntry.At(ref cursor)), member), ref place);

        storage.BeforeTreeChange();
        trees.Fingerprints.Remove(fingerprints, ref cursor);
        trees.Scores.Remove(scores, ref place);
        return true;
    }

    /// <summary>Removes some, but not all, members.</summary>
    public static void RemoveRange(ref ValueStorage storage, long first, long count)
    {
        TreeStore trees = storage.Trees;
        TreeHeader* scores = storage.Tree;
        TreeHeader* fingerprints = storage.SecondTree;
        storage.BeforeTreeChange();
        var cursor = default(TreeCursor);
        var fingerprint = default(TreeCursor);
        cursor.Seek(new TreeView(scores), first);
        for (long i = 0; i < count; i++)
        {
            ScoredMember member = ScoreEntry.Read(TreeEntry.At(ref cursor));
            if (TryFindFingerprint(trees, new TreeView(scores), new TreeView(fingerprints), member.Member, ref fingerprint))
                trees.Fingerprints.Remove(fingerprints, ref fingerprint);

            cursor.MoveNext();
        }

        trees.Scores.RemoveRange(scores, first, count);
    }

    public static ulong Scan<TVisitor>(scoped in SortedSetView view, ulong from, int count, ref TVisitor visitor)
        where TVisitor : struct, IScoredVisitor, allows ref struct
    {
        var cursor = default(TreeCursor);
        view.Trees.Fingerprints.Find(
            view.Fingerprints,
            FingerprintOrder.KeyOf(from > ulong.MaxValue >> TreeEntry.ScanShift ? ulong.MaxValue : from << TreeEntry.ScanShift),
            ref cursor
        );
        long last = -1;
        long position = PositionOf(ref cursor);
        while (position >= 0 && (count-- > 0 || position == last))
        {
            ReadOnlySpan<byte> fingerprint = TreeEntry.At(ref cursor);
            ReadOnlySpan<byte> member = ScoreEntry.PrintMember(fingerprint);
            if (!member.IsEmpty)
                visitor.Visit(member, ScoreEntry.PrintScore(fingerprint));
            else
                VisitOfScore(view, FingerprintOrder.PrintIn(fingerprint), ScoreEntry.PrintScore(fingerprint), ref visitor);

            last = position;
            cursor.MoveNext();
            position = PositionOf(ref cursor);
        }

        return (ulong)Math.Max(0, position);
    }

    // Visits the members with a given fingerprint among those of a score, which are few.
    private static void VisitOfScore<TVisitor>(scoped in SortedSetView view, ulong fingerprint, double score, ref TVisitor visitor)
        where TVisitor : struct, IScoredVisitor, allows ref struct
    {
        var cursor = default(TreeCursor);
        view.Trees.Scores.Find(view.Tree, ScoreOrder.KeyOf(score, default), ref cursor);
        while (!cursor.IsEnd)
        {
            ScoredMember each = ScoreEntry.Read(TreeEntry.At(ref cursor));
            if (each.Score != score)
                return;

            if (view.Trees.Fingerprints.Order.PrintOf(each.Member) == fingerprint)
                visitor.Visit(each.Member, each.Score);

            cursor.MoveNext();
        }
    }

    /// <summary>See <see cref="TreeEntry.ScanPositionOf"/>.</summary>
    public static long ScanPositionOf(TreeStore trees, scoped ReadOnlySpan<byte> member) =>
        (long)(trees.Fingerprints.Order.PrintOf(member) >> TreeEntry.ScanShift);

    // See TreeEntry.ScanPosition.
    private static long PositionOf(ref TreeCursor cursor) =>
        cursor.IsEnd ? -1 : (long)(FingerprintOrder.PrintIn(TreeEntry.At(ref cursor)) >> TreeEntry.ScanShift);

    private static long RankOf(scoped in SortedSetView view, in TreeKey key)
    {
        var cursor = default(TreeCursor);
        view.Trees.Scores.Find(view.Tree, key, ref cursor);
        return cursor.Rank;
    }

    private static long RankOfBound(
        scoped in SortedSetView view,
        double score,
        ReadOnlySpan<byte> bound,
        LexBound kind,
        bool isBehindWhenEqual
    )
    {
        if (kind is LexBound.NegativeInfinity or LexBound.PositiveInfinity)
            return kind == LexBound.NegativeInfinity ? 0 : view.Length;

        var cursor = default(TreeCursor);
        bool isFound = view.Trees.Scores.Find(view.Tree, ScoreOrder.KeyOf(score, bound), ref cursor);
        return cursor.Rank + (isFound && isBehindWhenEqual ? 1 : 0);
    }

    // Finds the entry of a member's fingerprint. Equal fingerprints of different members are resolved by checking whether the member has
    // the entry's score.
    private static bool TryFindFingerprint(
        TreeStore trees,
        in TreeView scores,
        in TreeView fingerprints,
        ReadOnlySpan<byte> member,
        ref TreeCursor cursor
    )
    {
        var place = default(TreeCursor);
        return TryFindFingerprint(trees, scores, fingerprints, member, ref cursor, ref place, out _);
    }

    // As above; if the member had to be searched for among the scores, the second cursor points to it.
    private static bool TryFindFingerprint(
        TreeStore trees,
        in TreeView scores,
        in TreeView fingerprints,
        ReadOnlySpan<byte> member,
        ref TreeCursor cursor,
        ref TreeCursor place,
        out bool isPlaced
    )
    {
        ulong fingerprint = trees.Fingerprints.Order.PrintOf(member);
        trees.Fingerprints.Find(fingerprints, FingerprintOrder.KeyOf(fingerprint), ref cursor);
        isPlaced = false;
        while (!cursor.IsEnd)
        {
            ReadOnlySpan<byte> entry = TreeEntry.At(ref cursor);
            if (FingerprintOrder.PrintIn(entry) != fingerprint)
                return false;

            ReadOnlySpan<byte> inside = ScoreEntry.PrintMember(entry);
            isPlaced = inside.IsEmpty && trees.Scores.Find(scores, ScoreOrder.KeyOf(ScoreEntry.PrintScore(entry), member), ref place);
            if (isPlaced || (!inside.IsEmpty && inside.SequenceEqual(member)))
                return true;

            cursor.MoveNext();
        }

        return false;
    }

    // True when both neighbours have a different fingerprint.
    private static bool IsAlone(in TreeCursor cursor)
    {
        TreeCursor beside = cursor;
        ulong fingerprint = FingerprintOrder.PrintIn(TreeEntry.At(ref beside));
        if (beside.MoveNext() && FingerprintOrder.PrintIn(TreeEntry.At(ref beside)) == fingerprint)
            return false;

        beside = cursor;
        return !beside.MovePrevious() || FingerprintOrder.PrintIn(TreeEntry.At(ref beside)) != fingerprint;
    }

    private static void Insert(TreeStore trees, TreeHeader* scores, TreeHeader* fingerprints, ReadOnlySpan<byte> member, double score)
    {
        int run = AddScore(trees, scores, member, score);
        AddFingerprint(trees, fingerprints, trees.Fingerprints.Order.PrintOf(member), score, run > LongRun ? member : default);
        NameRun(trees, scores, fingerprints, score, run);
    }

    // Adds a member to the tree of scores; returns the number of members with its score, counted only as far as needed.
    private static int AddScore(TreeStore trees, TreeHeader* scores, ReadOnlySpan<byte> member, double score)
    {
        var cursor = default(TreeCursor);
        trees.Scores.Find(new TreeView(scores), ScoreOrder.KeyOf(score, member), ref cursor);
        trees.Scores.Insert(scores, ref cursor, ScoreEntry.Make(score, member));
        return RunLength(cursor, score);
    }

    private static void AddFingerprint(
        TreeStore trees,
        TreeHeader* fingerprints,
        ulong fingerprint,
        double score,
        ReadOnlySpan<byte> member
    )
    {
        var cursor = default(TreeCursor);
        trees.Fingerprints.Find(new TreeView(fingerprints), FingerprintOrder.KeyOf(fingerprint, score), ref cursor);
        trees.Fingerprints.Insert(fingerprints, ref cursor, ScoreEntry.MakeFingerprint(fingerprint, score, member));
    }

    // Number of members with the cursor's score, counted only as far as needed.
    private static int RunLength(TreeCursor cursor, double score)
    {
        const int enough = LongRun + 2;
        TreeCursor back = cursor;
        int run = 1;
        while (run < enough && back.MovePrevious() && ScoreEntry.Score(TreeEntry.At(ref back)) == score)
            run++;

        while (run < enough && cursor.MoveNext() && ScoreEntry.Score(TreeEntry.At(ref cursor)) == score)
            run++;

        return run;
    }

    // When a run has just become long, stores the members in all of its fingerprint entries.
    private static void NameRun(TreeStore trees, TreeHeader* scores, TreeHeader* fingerprints, double score, int run)
    {
        if (run != LongRun + 1)
            return;

        var cursor = default(TreeCursor);
        var fingerprint = default(TreeCursor);
        trees.Scores.Find(new TreeView(scores), ScoreOrder.KeyOf(score, default), ref cursor);
        for (int i = 0; i <= LongRun; i++)
        {
            // Use its own score: a run of zeros may contain negative ones.
            ScoredMember each = ScoreEntry.Read(TreeEntry.At(ref cursor));
            if (
                TryFindFingerprint(trees, new TreeView(scores), new TreeView(fingerprints), each.Member, ref fingerprint)
                && ScoreEntry.PrintMember(TreeEntry.At(ref fingerprint)).IsEmpty
            )
            {
                trees.Fingerprints.Replace(
                    fingerprints,
                    ref fingerprint,
                    ScoreEntry.MakeFingerprint(trees.Fingerprints.Order.PrintOf(each.Member), each.Score, each.Member)
                );
            }

            cursor.MoveNext();
        }
    }
}
