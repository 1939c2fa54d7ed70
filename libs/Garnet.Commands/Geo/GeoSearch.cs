// Shared implementation of GEOSEARCH, GEORADIUS and their variants. Stateless.
using Garnet.Commands.SortedSets;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;
using Garnet.Store.Collections.SortedSets;
using Garnet.Store.Memory;

namespace Garnet.Commands.Geo;

/// <summary>Finds the members of a sorted set within an area, and replies with them or stores them.</summary>
internal static class GeoSearch
{
    private const int Cells = 9;

    public static void Execute(ref CommandContext context, GeoForm form)
    {
        int sourceArgument = (form & GeoForm.SearchStore) != 0 ? 2 : 1;
        int target = GeoOptions.FindTarget(in context, form);
        if (target != 0)
            context.LatchKeys(sourceArgument, target - sourceArgument, 2);
        if (!context.TryOpen(sourceArgument, RecordType.SortedSet, countsLookup: true, out RecordHandle record))
            return;
        SortedSetValue source = new(record);
        GeoOptions options = default;
        if (!options.TryParse(ref context, form, in source))
            return;
        options.Shape.CentrePolygon();
        using TextArena texts = new();
        using ScratchList<GeoMatch> found = new();
        if (source.Exists)
            Find(in source, in options, texts, found);
        Span<GeoMatch> matches = found.Span;
        int count = options.MaxResults == 0 ? matches.Length : (int)Math.Min(options.MaxResults, matches.Length);
        Sort(matches, count, in options);
        if (options.TargetArgument == 0)
            GeoReply.Write(ref context, in options, matches, count, texts);
        else
            Store(ref context, in options, matches, count, texts);
    }

    private static void Find(in SortedSetValue source, in GeoOptions options, TextArena texts, ScratchList<GeoMatch> matches)
    {
        Span<GeoCell> cells = stackalloc GeoCell[Cells];
        options.Shape.Cover(cells);
        long maxMatches = options.AcceptsAny ? options.MaxResults : long.MaxValue;
        int last = 0;
        for (int i = 0; i < Cells && matches.Count < maxMatches; i++)
        {
            // For a very large area, neighbours are the same cell.
            if (cells[i].IsNone || (last != 0 && cells[i] == cells[last]))
                continue;
            RankRange range = source.RanksOf(
                new ScoreRange
                {
                    Min = cells[i].FirstScore,
                    Max = cells[i].EndScore,
                    IsMaxExclusive = true,
                }
            );
            foreach (ScoredMember member in source.Range(range.First, range.Count))
            {
                GeoPoint position = GeoCell.Decode(member.Score);
                if (options.Shape.Contains(position, out double metres))
                    matches.Add(new GeoMatch(texts.Add(member.Member), member.Score, position, metres));
                if (matches.Count >= maxMatches)
                    break;
            }

            last = i;
        }
    }

    // A limited number means the nearest matches. Equal distances keep the order in which they were found, unless matches are cut off.
    private static void Sort(Span<GeoMatch> matches, int count, in GeoOptions options)
    {
        int order = options.Order != 0 || options.MaxResults == 0 || options.AcceptsAny ? options.Order : 1;
        if (order == 0)
            return;
        if (count < matches.Length)
        {
            PartialSort.Sort(
                matches,
                0,
                count - 1,
                order > 0 ? static (a, b) => a.Metres.CompareTo(b.Metres) : static (a, b) => b.Metres.CompareTo(a.Metres)
            );
        }
        else if (order > 0)
        {
            matches.Sort(static (a, b) => a.Metres != b.Metres ? a.Metres.CompareTo(b.Metres) : a.Member.CompareTo(b.Member));
        }
        else
        {
            matches.Sort(static (a, b) => a.Metres != b.Metres ? b.Metres.CompareTo(a.Metres) : a.Member.CompareTo(b.Member));
        }
    }

    private static void Store(ref CommandContext context, in GeoOptions options, ReadOnlySpan<GeoMatch> matches, int count, TextArena texts)
    {
        var result = SortedSetValue.Detached(context.Store);
        using ScoredMembers gathered = new();
        SortedSetGathering gathering = new(result, gathered);
        for (int i = 0; i < count; i++)
        {
            gathering.Add(
                texts[matches[i].Member],
                options.StoresDistances ? matches[i].Metres / options.Shape.UnitMetres : matches[i].Score
            );
        }

        result = gathering.Finish();
        RecordHandle target = context.OpenTarget(options.TargetArgument, count > 0);
        result.StoreTo(ref target);
        context.CountChanges(Math.Max(count, 1));
        context.Reply.WriteInteger(count);
    }
}
