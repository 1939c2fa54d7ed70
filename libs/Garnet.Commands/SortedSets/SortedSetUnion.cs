// Shared implementation of ZUNION and ZUNIONSTORE. Stateless; the operands are latched.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>
/// Collects the members of all operands and sorts them once; if there are very many, they are inserted into the result one by one.
/// </summary>
internal static class SortedSetUnion
{
    /// <summary>Replies with the members; false if there are too many to collect.</summary>
    public static bool TryReply(ref CommandContext context, AlgebraArguments arguments)
    {
        if (!TryGather(ref context, arguments, out MemberTable members))
            return false;
        ScoredReply.WriteHeader(ref context.Reply, members.Count, arguments.WithScores);
        foreach (int index in members.Sort())
            ScoredReply.Write(ref context.Reply, members.Member(index), members.Score(index), arguments.WithScores);
        members.End();
        return true;
    }

    /// <summary>Adds the members to an empty detached sorted set.</summary>
    public static void AddTo(ref CommandContext context, AlgebraArguments arguments, scoped ref SortedSetValue result)
    {
        if (!TryGather(ref context, arguments, out MemberTable members))
        {
            AddOneByOne(ref context, arguments, ref result);
            return;
        }

        OrderedMembers ordered = new(members);
        result.AddAll(ref ordered);
        members.End();
    }

    private static bool TryGather(ref CommandContext context, AlgebraArguments arguments, out MemberTable members)
    {
        members = context.Scratch.Pools.Members;
        int[] order = SortedSetAlgebra.BySize(ref context, arguments, out long maxMembers);
        if (maxMembers > MemberTable.MaxMembers)
            return false;
        members.Begin(maxMembers);
        foreach (int key in order)
        {
            ScoredOperand.Enumerator operand = ScoredOperand.Open(ref context, arguments.FirstKey + key).GetEnumerator();
            while (operand.MoveNext())
            {
                double score = arguments.Weigh(key, operand.Score);
                bool isNew = members.Add(context.Store, operand.Member, out int index);
                ref double current = ref members.Score(index);
                current = isNew ? score : arguments.Aggregate(current, score);
            }
        }

        return true;
    }

    private static void AddOneByOne(ref CommandContext context, AlgebraArguments arguments, scoped ref SortedSetValue result)
    {
        foreach (int key in SortedSetAlgebra.BySize(ref context, arguments, out _))
        {
            ScoredOperand.Enumerator members = ScoredOperand.Open(ref context, arguments.FirstKey + key).GetEnumerator();
            while (members.MoveNext())
            {
                ReadOnlySpan<byte> member = ElementScratch.Current.Copy(members.Member);
                double score = arguments.Weigh(key, members.Score);
                if (result.TryGetScore(member, out double current))
                {
                    score = arguments.Aggregate(current, score);
                    // Zeros of both signs are equal, so one does not replace the other.
                    if (current == 0 && double.IsNegative(current) != double.IsNegative(score))
                        result.Remove(member);
                }

                result.Set(member, score, out _);
            }
        }
    }
}
