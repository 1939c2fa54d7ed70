// GEOADD key [NX | XX] [CH] longitude latitude member [longitude latitude member ...]
using Garnet.Commands.SortedSets;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.Geo;

/// <summary>Adds members with their positions to a sorted set; a member's score is its encoded position.</summary>
internal static class GeoAddCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GEOADD",
        Arity = -5,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.Geo,
        Since = "3.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Update)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!TryParse(ref context, out bool onlyNew, out bool onlyExisting, out bool countsChanged, out int first))
            return;
        int members = (context.Count - first) / 3;
        double[] scores = new double[members];
        int longest = 0;
        for (int i = 0; i < members; i++)
        {
            if (!GeoArguments.TryGetPosition(ref context, first + (3 * i), out GeoPoint position))
                return;
            scores[i] = GeoCell.ScoreOf(position);
            longest = Math.Max(longest, context[first + (3 * i) + 2].Length);
        }

        if (members == 0)
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return;
        }

        if (!SortedSetKey.TryOpen(ref context, 1, out SortedSetValue target))
            return;
        int changed = 0;
        int stored = 0;
        long before = context.Store.Changes.Count;
        if (target.Exists || !onlyExisting)
        {
            target.Expect(members, longest);
            for (int i = 0; i < members; i++)
            {
                ReadOnlySpan<byte> member = context[first + (3 * i) + 2];
                bool exists = target.TryGetScore(member, out double old);
                if (exists ? onlyNew : onlyExisting)
                    continue;
                target.Set(member, scores[i], out _);
                stored += !exists || old != scores[i] ? 1 : 0;
                changed += !exists || (countsChanged && old != scores[i]) ? 1 : 0;
            }
        }

        if (stored > 0)
            context.Notify(SortedSetEvents.Add, 1);
        context.CountChanges(stored);
        if (context.HasSink && context.Store.Changes.Count != before)
            ReplaceEffect(ref context, first, scores);
        context.Reply.WriteInteger(changed);
    }

    private static bool TryParse(ref CommandContext context, out bool onlyNew, out bool onlyExisting, out bool countsChanged, out int first)
    {
        onlyNew = onlyExisting = countsChanged = false;
        for (first = 2; first < context.Count; first++)
        {
            if (context.Is(first, "NX"u8))
                onlyNew = true;
            else if (context.Is(first, "XX"u8))
                onlyExisting = true;
            else if (context.Is(first, "CH"u8))
                countsChanged = true;
            else
                break;
        }

        if ((context.Count - first) % 3 == 0 && !(onlyNew && onlyExisting))
            return true;
        context.Reply.WriteError(ErrorText.Syntax);
        return false;
    }

    // The effect is a ZADD with the encoded positions as scores.
    private static void ReplaceEffect(ref CommandContext context, int first, double[] scores)
    {
        EffectBuffer effect = context.BeginEffect(first + (2 * scores.Length));
        effect.Add("ZADD"u8);
        for (int i = 1; i < first; i++)
            effect.Add(context[i]);
        for (int i = 0; i < scores.Length; i++)
            effect.Add((long)scores[i]).Add(context[first + (3 * i) + 2]);
    }
}
