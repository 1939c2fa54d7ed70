// Shared implementation of ZUNION, ZINTER, ZDIFF and their STORE variants. Stateless.
using Garnet.Engine.Execution;
using Garnet.Store;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>
/// Computes a detached sorted set from several sorted sets or sets, which are latched together, and replies with it or stores it.
/// </summary>
internal static class SortedSetAlgebra
{
    /// <summary>Executes <c>name numkeys key [key ...] [option ...]</c>.</summary>
    public static void Reply(ref CommandContext context, AlgebraKind kind)
    {
        if (!AlgebraArguments.TryParseKeys(ref context, 1, out int keys))
            return;
        context.LatchKeys(2, 1, keys);
        AlgebraArguments arguments = new() { FirstKey = 2, Keys = keys };
        if (!ScoredOperand.HaveRightTypes(ref context, 2, keys) || !arguments.TryParseOptions(ref context, kind, isStored: false))
            return;
        if (kind == AlgebraKind.Union && SortedSetUnion.TryReply(ref context, arguments))
            return;
        var result = SortedSetValue.Detached(context.Store);
        result.HasZeroSigns = true;
        if (kind == AlgebraKind.Union)
        {
            SortedSetUnion.AddTo(ref context, arguments, ref result);
        }
        else
        {
            using ScoredMembers members = new();
            SortedSetGathering gathering = Gather(ref context, kind, arguments, new SortedSetGathering(result, members));
            if (gathering.TryReply(ref context, arguments.WithScores))
                return;
            result = gathering.Finish();
        }

        ScoredReply.WriteHeader(ref context.Reply, result.Length, arguments.WithScores);
        foreach (ScoredMember member in result)
            ScoredReply.Write(ref context.Reply, member, arguments.WithScores);
        result.Discard();
    }

    /// <summary>Executes <c>name destination numkeys key [key ...] [option ...]</c>.</summary>
    public static void Store(ref CommandContext context, AlgebraKind kind)
    {
        if (!AlgebraArguments.TryParseKeys(ref context, 2, out int keys))
            return;
        LatchWithTarget(ref context, keys);
        AlgebraArguments arguments = new() { FirstKey = 3, Keys = keys };
        if (!ScoredOperand.HaveRightTypes(ref context, 3, keys) || !arguments.TryParseOptions(ref context, kind, isStored: true))
            return;
        var result = SortedSetValue.Detached(context.Store);
        result.HasZeroSigns = true;
        using ScoredMembers members = new();
        if (kind == AlgebraKind.Union)
            SortedSetUnion.AddTo(ref context, arguments, ref result);
        else
            result = Gather(ref context, kind, arguments, new SortedSetGathering(result, members)).Finish();
        long length = result.Length;
        RecordHandle target = context.OpenTarget(1, length > 0);
        result.StoreTo(ref target);
        context.Reply.WriteInteger(length);
    }

    /// <summary>Visits the members that all operands contain, in the order of the smallest operand.</summary>
    public static void Intersect<TVisitor>(scoped ref CommandContext context, in AlgebraArguments arguments, ref TVisitor visitor)
        where TVisitor : struct, IIntersectionVisitor, allows ref struct
    {
        int[] order = BySize(ref context, arguments, out _);
        using ScoredBatch batch = new();
        ScoredOperand.Enumerator members = ScoredOperand.Open(ref context, arguments.FirstKey + order[0]).GetEnumerator();
        while (members.Fill(batch))
        {
            for (int i = 0; i < batch.Count; i++)
                batch.Score(i) = arguments.Weigh(order[0], batch.Score(i));
            for (int next = 1; next < order.Length && batch.Count > 0; next++)
                KeepShared(ref context, arguments, order[0], order[next], batch);
            for (int i = 0; i < batch.Count; i++)
            {
                if (!visitor.Visit(batch.Member(i), batch.Score(i)))
                    return;
            }
        }
    }

    private static void KeepShared(
        scoped ref CommandContext context,
        AlgebraArguments arguments,
        int smallest,
        int other,
        ScoredBatch batch
    )
    {
        // A key that is named twice has all of its members.
        bool isSame = context[arguments.FirstKey + other].SequenceEqual(context[arguments.FirstKey + smallest]);
        if (!isSame)
            ScoredOperand.Open(ref context, arguments.FirstKey + other).Keep(batch, present: true);
        for (int i = 0; i < batch.Count; i++)
        {
            ref double score = ref batch.Score(i);
            double further = isSame ? batch.OwnScore(i) : batch.FoundScore(i);
            score = arguments.Aggregate(score, arguments.WeighFurther(other, further));
        }
    }

    private static SortedSetGathering Gather(
        scoped ref CommandContext context,
        AlgebraKind kind,
        AlgebraArguments arguments,
        SortedSetGathering gathering
    )
    {
        if (kind == AlgebraKind.Inter)
        {
            IntersectionResult visitor = new(gathering);
            Intersect(ref context, in arguments, ref visitor);
            return visitor.Gathering;
        }

        Subtract(ref context, arguments, ref gathering);
        return gathering;
    }

    private static void Subtract(scoped ref CommandContext context, AlgebraArguments arguments, scoped ref SortedSetGathering gathering)
    {
        using ScoredBatch batch = new();
        ScoredOperand.Enumerator members = ScoredOperand.Open(ref context, arguments.FirstKey).GetEnumerator();
        while (members.Fill(batch))
        {
            for (int next = 1; next < arguments.Keys && batch.Count > 0; next++)
                ScoredOperand.Open(ref context, arguments.FirstKey + next).Keep(batch, present: false);
            for (int i = 0; i < batch.Count; i++)
                gathering.Add(batch.Member(i), batch.Score(i));
        }
    }

    /// <summary>
    /// The operands in ascending order of size, because sums of scores depend on the order, and their total number of members.
    /// </summary>
    internal static int[] BySize(scoped ref CommandContext context, AlgebraArguments arguments, out long members)
    {
        int[] order = new int[arguments.Keys];
        long[] sizes = new long[arguments.Keys];
        for (int i = 0; i < order.Length; i++)
        {
            order[i] = i;
            sizes[i] = ScoredOperand.Open(ref context, arguments.FirstKey + i).Length;
        }

        members = sizes.Sum();
        Array.Sort(order, (one, other) => sizes[one] != sizes[other] ? sizes[one].CompareTo(sizes[other]) : one.CompareTo(other));
        return order;
    }

    private static void LatchWithTarget(ref CommandContext context, int keys)
    {
        Span<KeyReference> references = context.Scratch.Pools.KeyReferences(keys + 1);
        references[0] = new KeyReference(context.Store.Database, context.Hash(1));
        for (int i = 0; i < keys; i++)
            references[i + 1] = new KeyReference(context.Store.Database, context.Hash(3 + i));
        context.LatchKeys(references);
    }
}
