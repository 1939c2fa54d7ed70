// Shared implementation of SORT and SORT_RO. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Lists;
using Garnet.Store.Collections.Sets;
using Garnet.Store.Collections.SortedSets;
using Garnet.Store.Memory;

namespace Garnet.Commands.Keys;

/// <summary>Reads the elements, sorts them, and replies with them or stores them.</summary>
internal static class Sorting
{
    // Minimum size of an item in a reply: that of a null.
    private const int MinItemBytes = 5;

    public static void Execute(ref CommandContext context, bool isReadOnly)
    {
        var options = SortOptions.Parse(ref context, isReadOnly);
        if (options is null)
            return;
        if (!options.ReadsOtherKeys)
        {
            if (options.TargetArgument != 0)
                context.LatchKeys(1, options.TargetArgument - 1, 2);
            Run(ref context, options);
            return;
        }

        // Which keys are read depends on the data.
        if (context.Client.Executor.TryBeginAlone(ref context))
            Run(ref context, options);
    }

    private static void Run(ref CommandContext context, SortOptions options)
    {
        RecordHandle record = context.Open(1);
        context.CountLookup(record.Exists, 1);
        if (record.Exists && record.Type is not (RecordType.List or RecordType.Set or RecordType.SortedSet))
        {
            context.Reply.WriteError(ErrorText.WrongType);
            return;
        }

        // As in Valkey, which converts a sorted set to a skiplist to sort it, and leaves it converted.
        if (record.Exists && record.Type == RecordType.SortedSet)
            new SortedSetValue(record).BecomeSkipList();

        // A stored result must be the same wherever the command is repeated, but the members of a set have no defined order.
        // What is stored, or decides what a script writes, must not depend on the order in which a set happens to be kept.
        bool isStable = options.TargetArgument != 0 || context.Client.Transactions.Script is not null;
        if (record.Exists && record.Type == RecordType.Set && options.IsUnsorted && isStable)
            (options.By, options.IsText, options.IsUnsorted) = (null, true, false);
        long length = record.Exists ? record.Contents.ElementCount : 0;
        long start = Math.Clamp(options.Offset, 0, length);
        long maxCount = Math.Clamp(options.Count, -1, length);
        int count = (int)Math.Clamp(maxCount < 0 ? length - start : maxCount, 0, length - start);
        if (!IsReplyBounded(ref context, options, count))
        {
            context.Reply.WriteError("ERR The reply of SORT would be too large"u8);
            return;
        }

        using TextArena texts = new();
        using ScratchList<SortElement> loaded = new();
        Load(ref record, options, texts, loaded, start, count);
        Span<SortElement> elements = loaded.Span;
        if (!options.IsUnsorted && !TrySort(ref context, options, texts, elements, (int)start, count))
        {
            context.Reply.WriteError("ERR One or more scores can't be converted into double"u8);
            return;
        }

        int first = elements.Length == count ? 0 : (int)start;
        if (options.TargetArgument == 0)
            Reply(ref context, options, texts, elements.Slice(first, count));
        else
            Store(ref context, options, texts, elements.Slice(first, count));
    }

    // A reply is an array, whose length has 31 bits. A client whose output buffer limit is too low for the reply would be closed after all
    // the work is done.
    private static bool IsReplyBounded(ref CommandContext context, SortOptions options, int count)
    {
        long items = (long)count * Math.Max(1, options.Gets.Count);
        long maxBytes = context.Client.Output.Limit.HardBytes;
        maxBytes = Math.Min(maxBytes == 0 ? long.MaxValue : maxBytes, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 2);
        return options.TargetArgument != 0 || (items <= int.MaxValue && items * MinItemBytes <= maxBytes);
    }

    // Loads all elements; of an ordered type that is not sorted, only the requested range.
    private static void Load(
        ref RecordHandle record,
        SortOptions options,
        TextArena texts,
        ScratchList<SortElement> elements,
        long start,
        int count
    )
    {
        if (!record.Exists)
            return;
        bool isPart = options.IsUnsorted && record.Type != RecordType.Set;
        long first =
            !isPart ? 0
            : options.IsDescending ? record.Contents.ElementCount - 1 - start
            : start;
        int wanted = isPart ? count : checked((int)record.Contents.ElementCount);
        bool isReverse = isPart && options.IsDescending;
        if (wanted == 0)
            return;
        switch (record.Type)
        {
            case RecordType.List:
                foreach (ReadOnlySpan<byte> element in new ListValue(record).Range(first, wanted, isReverse))
                    elements.Add(new SortElement(texts.Add(element), 0, TextSlice.None));
                break;
            case RecordType.Set:
                foreach (ReadOnlySpan<byte> member in new SetValue(record))
                    elements.Add(new SortElement(texts.Add(member), 0, TextSlice.None));
                break;
            default:
                foreach (ScoredMember member in new SortedSetValue(record).Range(first, wanted, isReverse))
                    elements.Add(new SortElement(texts.Add(member.Member), 0, TextSlice.None));
                break;
        }
    }

    private static bool TrySort(
        ref CommandContext context,
        SortOptions options,
        TextArena texts,
        Span<SortElement> elements,
        int start,
        int count
    )
    {
        bool areNumbers = true;
        foreach (ref SortElement each in elements)
        {
            ReadOnlySpan<byte> by = texts[each.Element];
            bool isFound = options.By is null || options.By.TryResolve(ref context, by, out by);
            if (!isFound)
                continue;
            if (options.IsText)
            {
                each = each with { Text = TextOf(options, texts, each.Element, by) };
            }
            else
            {
                areNumbers &= DoubleText.TryParse(ArgumentText.UpToZero(by), out double score);
                each = each with { Score = score };
            }
        }

        if (!areNumbers)
            return false;
        SortOrder order = new(texts, options.IsText, options.IsDescending);

        // With BY, sorts as Valkey does, because its partial sort determines the order of ties; without BY, a partial sort is only faster.
        if (count < elements.Length)
            PartialSort.Sort(elements, start, start + count - 1, options.By is not null ? order.CompareAlone : order.Compare);
        else
            elements.Sort(order);
        return true;
    }

    // Sort keys used only for a reply are compared in the C locale, up to a zero byte. Values of other keys stay valid as long as the
    // session is under the barrier.
    private static TextSlice TextOf(SortOptions options, TextArena texts, TextSlice element, ReadOnlySpan<byte> by)
    {
        if (options.TargetArgument == 0)
            by = ArgumentText.UpToZero(by);
        return options.By is { ReadsKeys: true } ? texts.AddInPlace(by) : element with { Length = by.Length };
    }

    private static void Reply(ref CommandContext context, SortOptions options, TextArena texts, ReadOnlySpan<SortElement> elements)
    {
        if (context.MayReplyInPieces && IsLarge(elements, options))
        {
            context.Suspend(new SortedPieces(context.Client.Connection, Items(ref context, options, texts, elements)));
            return;
        }

        context.Reply.WriteArray(checked(elements.Length * Math.Max(1, options.Gets.Count)));
        foreach (SortElement each in elements)
        {
            if (options.Gets.Count == 0)
                context.Reply.WriteBulk(texts[each.Element]);
            foreach (SortPattern get in options.Gets)
                get.Write(ref context, texts[each.Element]);
        }
    }

    // Values found by GET are assumed to be as long as the elements.
    private static bool IsLarge(ReadOnlySpan<SortElement> elements, SortOptions options)
    {
        const int frameBytes = 8;
        long bytes = 0;
        foreach (SortElement each in elements)
            bytes += frameBytes + each.Element.Length;
        return bytes * Math.Max(1, options.Gets.Count) >= CollectionSnapshot.LargeBytes;
    }

    // Collects everything the reply needs, so that it can be written after other clients have changed the keys.
    private static SortedItems Items(ref CommandContext context, SortOptions options, TextArena texts, ReadOnlySpan<SortElement> elements)
    {
        // The items refer to the texts of elements only if the reply contains them. Pointers to values of other keys become invalid soon,
        // and are no longer used.
        TextArena kept = texts.Detach();
        SortedItems items = new(kept);
        try
        {
            foreach (SortElement each in elements)
            {
                if (options.Gets.Count == 0)
                    items.Add(each.Element);
                foreach (SortPattern get in options.Gets)
                {
                    items.Add(
                        get.IsElement ? each.Element
                        : get.HasPlaceholder ? get.Keep(ref context, kept[each.Element], kept)
                        : TextSlice.None
                    );
                }
            }

            return items;
        }
        catch
        {
            items.Dispose();
            throw;
        }
    }

    private static void Store(ref CommandContext context, SortOptions options, TextArena texts, ReadOnlySpan<SortElement> elements)
    {
        var result = ListValue.Detached(context.Store);
        foreach (SortElement each in elements)
        {
            if (options.Gets.Count == 0)
                result.PushLast(texts[each.Element]);
            foreach (SortPattern get in options.Gets)
            {
                result.PushLast(
                    get.TryResolve(ref context, texts[each.Element], out ReadOnlySpan<byte> value)
                        ? ElementScratch.Current.Copy(value)
                        : default
                );
            }
        }

        long length = result.Length;
        RecordHandle target = context.OpenTarget(options.TargetArgument, length > 0);
        result.StoreTo(ref target);
        if (length > 0)
            context.Notify(KeyEvents.SortStore, options.TargetArgument);
        context.CountChanges(Math.Max(length, 1));
        context.Reply.WriteInteger(length);
    }
}
