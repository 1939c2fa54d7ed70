// What SORT and SORT_RO do. Stateless.
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Server.Commands.Keys;

/// <summary>Reads the elements, sorts them, and replies with them or stores them.</summary>
internal static class Sorting
{
    /// <summary>Runs the command.</summary>
    public static void Execute(ref CommandContext context, bool isReadOnly)
    {
        SortOptions? options = SortOptions.Parse(ref context, isReadOnly);
        if (options is null)
            return;
        if (!options.ReadsOtherKeys)
        {
            if (options.TargetArgument != 0)
                context.LatchKeys(1, options.TargetArgument - 1, 2);
            Run(ref context, options);
            return;
        }

        // Which keys will be read shows only on the way, so nobody else may be inside meanwhile; and the effect must be handed on before others go on.
        long before = context.Store.ChangeCount;
        KeyspaceChange.Begin(ref context);
        Run(ref context, options);
        if (context.Store.ChangeCount != before)
            KeyspaceChange.End(ref context);
        else
            context.Store.EndExclusive();
    }

    private static void Run(ref CommandContext context, SortOptions options)
    {
        RecordHandle record = context.Open(1);
        context.CountLookup(record.Exists);
        if (record.Exists && record.Type is not (RecordType.List or RecordType.Set or RecordType.SortedSet))
        {
            context.Reply.WriteError(ErrorText.WrongType);
            return;
        }

        // What is stored must be the same wherever the command is repeated; the members of a set have no order of their own.
        if (record.Exists && record.Type == RecordType.Set && options.IsUnsorted && options.TargetArgument != 0)
            (options.By, options.IsText, options.IsUnsorted) = (null, true, false);
        long length = record.Exists ? record.ElementCount : 0;
        long start = Math.Clamp(options.Offset, 0, length);
        long most = Math.Clamp(options.Most, -1, length);
        int count = (int)Math.Clamp(most < 0 ? length - start : most, 0, length - start);
        byte[][] elements = Load(ref record, options, start, count);
        if (!options.IsUnsorted && !TrySort(ref context, options, ref elements))
        {
            context.Reply.WriteError("ERR One or more scores can't be converted into double"u8);
            return;
        }

        int first = elements.Length == count ? 0 : (int)start;
        if (options.TargetArgument == 0)
            Reply(ref context, options, elements.AsSpan(first, count));
        else
            Store(ref context, options, elements.AsSpan(first, count));
    }

    // All elements; of what keeps its own order only the part that is wanted.
    private static byte[][] Load(ref RecordHandle record, SortOptions options, long start, int count)
    {
        List<byte[]> elements = [];
        if (!record.Exists)
            return [];
        bool isPart = options.IsUnsorted && record.Type != RecordType.Set;
        long first = !isPart ? 0 : options.IsDescending ? record.ElementCount - 1 - start : start;
        long wanted = isPart ? count : record.ElementCount;
        bool isReverse = isPart && options.IsDescending;
        if (wanted == 0)
            return [];
        switch (record.Type)
        {
            case RecordType.List:
                foreach (ReadOnlySpan<byte> element in new ListValue(record).Range(first, wanted, isReverse))
                    elements.Add(element.ToArray());
                break;
            case RecordType.Set:
                foreach (ReadOnlySpan<byte> member in new SetValue(record))
                    elements.Add(member.ToArray());
                break;
            default:
                foreach (ScoredMember member in new SortedSetValue(record).Range(first, wanted, isReverse))
                    elements.Add(member.Member.ToArray());
                break;
        }

        return [.. elements];
    }

    private static bool TrySort(ref CommandContext context, SortOptions options, ref byte[][] elements)
    {
        var sortable = new SortElement[elements.Length];
        bool areNumbers = true;
        for (int i = 0; i < sortable.Length; i++)
        {
            byte[]? by = options.By is null ? elements[i] : options.By.Resolve(ref context, elements[i]);
            double score = 0;
            if (!options.IsText && by is not null)
                areNumbers &= DoubleText.TryParse(by, out score);
            sortable[i] = new SortElement(elements[i], score, options.IsText ? by : null);
        }

        if (!areNumbers)
            return false;
        bool isStored = options.TargetArgument != 0;
        Comparer<SortElement> order = Comparer<SortElement>.Create(options.IsText
            ? (a, b) => CompareTexts(a.Text, b.Text, isStored)
            : static (a, b) => a.Score != b.Score ? a.Score.CompareTo(b.Score) : a.Element.AsSpan().SequenceCompareTo(b.Element));
        IEnumerable<SortElement> sorted = options.IsDescending ? sortable.OrderByDescending(static e => e, order) : sortable.OrderBy(static e => e, order);
        elements = [.. sorted.Select(static e => e.Element)];
        return true;
    }

    // What is only shown is compared as the C locale does, up to a zero byte.
    private static int CompareTexts(byte[]? a, byte[]? b, bool isStored)
    {
        if (a is null || b is null)
            return (a is null ? 0 : 1) - (b is null ? 0 : 1);
        return isStored ? a.AsSpan().SequenceCompareTo(b) : UpToZero(a).SequenceCompareTo(UpToZero(b));
    }

    private static ReadOnlySpan<byte> UpToZero(byte[] text)
    {
        int zero = text.AsSpan().IndexOf((byte)0);
        return zero < 0 ? text : text.AsSpan(0, zero);
    }

    private static void Reply(ref CommandContext context, SortOptions options, Span<byte[]> elements)
    {
        context.Reply.WriteArray(elements.Length * Math.Max(1, options.Gets.Count));
        foreach (byte[] element in elements)
        {
            if (options.Gets.Count == 0)
                context.Reply.WriteBulk(element);
            foreach (SortPattern get in options.Gets)
            {
                if (get.Resolve(ref context, element) is { } value)
                    context.Reply.WriteBulk(value);
                else
                    context.Reply.WriteNull();
            }
        }
    }

    private static void Store(ref CommandContext context, SortOptions options, Span<byte[]> elements)
    {
        ListValue result = ListValue.Detached(context.Store);
        foreach (byte[] element in elements)
        {
            if (options.Gets.Count == 0)
                result.PushLast(element);
            foreach (SortPattern get in options.Gets)
                result.PushLast(get.Resolve(ref context, element) ?? []);
        }

        long length = result.Length;
        RecordHandle target = context.Open(options.TargetArgument);
        result.StoreTo(ref target);
        context.Reply.WriteInteger(length);
    }
}
