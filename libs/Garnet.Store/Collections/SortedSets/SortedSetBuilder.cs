// Builds the trees of a large sorted set from ordered members. Runs without a latch: the set has no key yet.
using Garnet.Store.Collections.Trees;
using Garnet.Store.Memory;

namespace Garnet.Store.Collections.SortedSets;

/// <summary>
/// Both trees are only appended to: no searches are needed, and no full leaf is split. The fingerprints are sorted first.
/// </summary>
internal static unsafe class SortedSetBuilder
{
    /// <summary>Replaces an empty packed set by trees with all members; false, with nothing changed, when a member occurs twice.</summary>
    public static bool TryBuild<TSource>(ref ValueStorage storage, scoped ref TSource source)
        where TSource : IScoredSource, allows ref struct
    {
        using ScratchList<ulong> allFingerprints = new();
        using ScratchList<int> allIndexes = new();
        Span<ulong> fingerprints = allFingerprints.AddUnset(source.Count);
        Span<int> order = allIndexes.AddUnset(source.Count);
        for (int i = 0; i < order.Length; i++)
        {
            fingerprints[i] = storage.Trees.Fingerprints.Order.PrintOf(source.Member(i));
            order[i] = i;
        }

        if (!TrySort(ref source, fingerprints, order))
            return false;

        int form = storage.Bytes[0];
        TreeHeader* scores = AppendScores(storage.Trees, ref source);
        storage.BecomeTree(form, scores, AppendFingerprints(storage.Trees, ref source, fingerprints, order));
        return true;
    }

    private static TreeHeader* AppendScores<TSource>(TreeStore trees, scoped ref TSource source)
        where TSource : IScoredSource, allows ref struct
    {
        TreeHeader* tree = trees.Create();
        var cursor = default(TreeCursor);
        for (int i = 0; i < source.Count; i++)
        {
            trees.Scores.Insert(tree, ref cursor, ScoreEntry.Make(source.Score(i), source.Member(i)));
            cursor.MoveNext();
        }

        return tree;
    }

    private static TreeHeader* AppendFingerprints<TSource>(
        TreeStore trees,
        scoped ref TSource source,
        ReadOnlySpan<ulong> fingerprints,
        ReadOnlySpan<int> order
    )
        where TSource : IScoredSource, allows ref struct
    {
        TreeHeader* tree = trees.Create();
        var cursor = default(TreeCursor);
        for (int i = 0; i < source.Count; i++)
        {
            int index = order[i];
            ReadOnlySpan<byte> member = IsInLongRun(ref source, index) ? source.Member(index) : default;
            trees.Fingerprints.Insert(tree, ref cursor, ScoreEntry.MakeFingerprint(fingerprints[i], source.Score(index), member));
            cursor.MoveNext();
        }

        return tree;
    }

    // Equal fingerprints are ordered by score, the order in which the members arrive. Duplicates can occur only among these.
    private static bool TrySort<TSource>(scoped ref TSource source, Span<ulong> fingerprints, Span<int> order)
        where TSource : IScoredSource, allows ref struct
    {
        fingerprints.Sort(order);
        for (int i = 1, first = 0; i <= fingerprints.Length; i++)
        {
            if (i < fingerprints.Length && fingerprints[i] == fingerprints[first])
                continue;

            if (i - first > 1)
            {
                order[first..i].Sort();
                if (HasTwins(ref source, order[first..i]))
                    return false;
            }

            first = i;
        }

        return true;
    }

    // Fingerprints are keyed with a secret, so few distinct members share one: the first comparisons find a member that occurs very often.
    private static bool HasTwins<TSource>(scoped ref TSource source, ReadOnlySpan<int> order)
        where TSource : IScoredSource, allows ref struct
    {
        for (int i = 1; i < order.Length; i++)
        {
            for (int j = 0; j < i; j++)
            {
                if (source.Member(order[i]).SequenceEqual(source.Member(order[j])))
                    return true;
            }
        }

        return false;
    }

    // Whether more members share a score than are searched linearly.
    private static bool IsInLongRun<TSource>(scoped ref TSource source, int index)
        where TSource : IScoredSource, allows ref struct
    {
        double score = source.Score(index);
        int first = index;
        int least = Math.Max(0, index - SortedSetTree.LongRun);
        while (first > least && source.Score(first - 1) == score)
            first--;

        int last = first + SortedSetTree.LongRun;
        return last < source.Count && source.Score(last) == score;
    }
}
