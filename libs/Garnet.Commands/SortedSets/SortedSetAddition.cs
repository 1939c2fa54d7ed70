// Shared implementation of ZADD and ZINCRBY. Stateless.
using System.Buffers;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Adds all members with their scores, or none if an argument is invalid.</summary>
internal static class SortedSetAddition
{
    private const int FewPairs = 32;

    /// <summary>Executes the command whose score-member pairs begin at an argument.</summary>
    public static void Execute(ref CommandContext context, AddOptions options, int first)
    {
        int pairs = (context.Count - first) / 2;
        double[]? rented = pairs > FewPairs ? ArrayPool<double>.Shared.Rent(pairs) : null;
        Span<double> scores = rented is null ? stackalloc double[FewPairs] : rented;
        if (
            TryGetScores(ref context, first, scores[..pairs], out int longest)
            && SortedSetKey.TryOpen(ref context, 1, out SortedSetValue members)
        )
        {
            Add(ref context, ref members, options, first, scores[..pairs], longest);
        }

        if (rented is not null)
            ArrayPool<double>.Shared.Return(rented);
    }

    private static bool TryGetScores(ref CommandContext context, int first, scoped Span<double> scores, out int longest)
    {
        longest = 0;
        for (int i = 0; i < scores.Length; i++)
        {
            if (!DoubleText.TryParse(context[first + (2 * i)], out scores[i]))
            {
                context.Reply.WriteError(ErrorText.NotFloat);
                return false;
            }

            longest = Math.Max(longest, context[first + (2 * i) + 1].Length);
        }

        return true;
    }

    private static void Add(
        ref CommandContext context,
        ref SortedSetValue members,
        AddOptions options,
        int first,
        scoped ReadOnlySpan<double> scores,
        int longest
    )
    {
        int added = 0;
        int changed = 0;
        double score = double.NaN;
        bool isProcessed = false;
        if (members.Exists || !options.OnlyExisting)
        {
            members.Expect(scores.Length, longest);
            for (int i = 0; i < scores.Length; i++)
            {
                score = scores[i];
                ReadOnlySpan<byte> member = context[first + (2 * i) + 1];
                if (!options.IsPlain && !Allows(in members, options, member, ref score))
                    continue;
                if (double.IsNaN(score))
                {
                    context.Reply.WriteError("ERR resulting score is not a number (NaN)"u8);
                    return;
                }

                isProcessed = true;
                if (members.Set(member, score, out double oldScore))
                    added++;
                else if (oldScore != score)
                    changed++;
                context.ReleaseBefore(first + (2 * i) + 2);
            }
        }

        if (added + changed > 0)
            context.Notify(options.Increments ? SortedSetEvents.Increment : SortedSetEvents.Add, 1);
        context.CountChanges(added + changed);
        if (!options.Increments)
            context.Reply.WriteInteger(options.CountsChanged ? added + changed : added);
        else if (isProcessed)
            context.Reply.WriteDouble(score);
        else
            context.Reply.WriteNull();
    }

    // Whether the options allow the change of a member's score; also computes the new score, NaN if there is none.
    private static bool Allows(in SortedSetValue members, AddOptions options, ReadOnlySpan<byte> member, ref double score)
    {
        if (!members.TryGetScore(member, out double current))
            return !options.OnlyExisting;
        if (options.OnlyNew)
            return false;
        if (options.Increments)
            score += current;
        return !(options.OnlyLess && score >= current) && !(options.OnlyGreater && score <= current);
    }
}
