// The counted B+trees at increasing sizes: nanoseconds per operation and bytes per element, printed as a table. Run alone; one thread.
using System.Globalization;
using System.Runtime.InteropServices;
using Garnet.Store.Collections.Trees;
using Garnet.Store.Memory;

namespace Garnet.Microbenchmarks;

/// <summary>Inserts, finds, ranks and removes at 10^3 to 10^7 elements in random order, and checks every result.</summary>
internal sealed unsafe class TreeCurve : IDisposable
{
    private const int Probes = 1_000_000;
    private readonly BlockHeap _blocks = new();
    private readonly TreeStore _trees;
    private readonly Random _random = new(1);

    private TreeCurve(int nodeBytes) => _trees = new TreeStore(_blocks, 42, nodeBytes);

    /// <summary>Prints the table up to a number of elements.</summary>
    public static void Run(int most, int nodeBytes)
    {
        Console.WriteLine(
            "| tree | elements | insert ns | find ns | rank/seek ns | remove ns | add and remove ns | bytes/element | in nodes | payload bytes |"
        );
        Console.WriteLine("|---|---|---|---|---|---|---|---|---|---|");
        for (int count = 1000; count <= most; count *= 10)
        {
            using var curve = new TreeCurve(nodeBytes);
            curve.Hash(count);
            curve.Score(count);
            curve.List(count);
            curve.Dictionary(count);
        }
    }

    public void Dispose()
    {
        _trees.Dispose();
        _blocks.Dispose();
    }

    private static int WriteText(Span<byte> entry, string prefix, int number)
    {
        int length = 0;
        foreach (char letter in prefix)
            entry[1 + length++] = (byte)letter;

        number.TryFormat(entry[(1 + length)..], out int digits, "D8", CultureInfo.InvariantCulture);
        entry[0] = (byte)(length + digits);
        return 1 + length + digits;
    }

    private int[] Shuffled(int count)
    {
        int[] order = [.. Enumerable.Range(0, count)];
        _random.Shuffle(order);
        return order;
    }

    private static void Print(
        string name,
        int count,
        double insert,
        double find,
        double rank,
        double remove,
        double change,
        long bytes,
        long live,
        double payload
    ) =>
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"| {name} | {count} | {insert:F0} | {find:F0} | {rank:F0} | {remove:F0} | {change:F0} | {(double)bytes / count:F1} | {(double)live / count:F1} | {payload:F1} |"
            )
        );

    // Processor time, because the machine may have other load.
    private static long Now() => Environment.CpuUsage.TotalTime.Ticks;

    private static double PerOperation(long from, long operations) => (Now() - from) * 100.0 / operations;

    private void Hash(int count)
    {
        CountedTree<HashOrder> trees = _trees.Hashes;
        TreeHeader* tree = _trees.Create();
        TreeCursor cursor = default;
        Span<byte> entry = stackalloc byte[64];
        int[] order = Shuffled(count);
        long payload = 0;
        long start = Now();
        foreach (int number in order)
        {
            int length = WriteText(entry, "field:", number);
            bool isFound = trees.Find(new TreeView(tree), trees.Order.KeyOf(entry[..length]), ref cursor);
            Check(!isFound);
            length += WriteText(entry[length..], "a value: ", number);
            trees.Insert(tree, ref cursor, entry[..length]);
            payload += length;
        }

        double insert = PerOperation(start, count);
        long bytes = _trees.Heap.Bytes;
        long live = _trees.Heap.LiveBytes;
        int[] probes = _random.GetItems(order, Probes);
        start = Now();
        foreach (int number in probes)
        {
            int length = WriteText(entry, "field:", number);
            Check(trees.TryGet(new TreeView(tree), trees.Order.KeyOf(entry[..length]), out ReadOnlySpan<byte> got) && got.Length > length);
        }

        double find = PerOperation(start, Probes);
        start = Now();
        foreach (int number in probes)
        {
            cursor.Seek(new TreeView(tree), number);
            Check(cursor.Entry.Length > 0);
        }

        double seek = PerOperation(start, Probes);
        start = Now();
        foreach (int number in probes)
        {
            // Like SADD and SREM of a new member.
            int length = WriteText(entry, "new:", number);
            Check(!trees.Find(new TreeView(tree), trees.Order.KeyOf(entry[..length]), ref cursor));
            trees.Insert(tree, ref cursor, entry[..length]);
            Check(trees.Find(new TreeView(tree), trees.Order.KeyOf(entry[..length]), ref cursor));
            trees.Remove(tree, ref cursor);
        }

        double change = PerOperation(start, Probes);
        start = Now();
        for (int i = 0; i < count; i++)
        {
            int length = WriteText(entry, "field:", order[i]);
            Check(trees.Find(new TreeView(tree), trees.Order.KeyOf(entry[..length]), ref cursor));
            trees.Remove(tree, ref cursor);
        }

        Print("hash", count, insert, find, seek, PerOperation(start, count), change, bytes, live, (double)payload / count);
        End(tree);
    }

    private void Score(int count)
    {
        CountedTree<ScoreOrder> trees = _trees.Scores;
        CountedTree<FingerprintOrder> prints = _trees.Fingerprints;
        TreeHeader* tree = _trees.Create();
        TreeHeader* print = _trees.Create();
        TreeCursor cursor = default;
        Span<byte> entry = stackalloc byte[64];
        Span<byte> text = stackalloc byte[64];
        int[] order = Shuffled(count);
        double[] scores = new double[count];
        long payload = 0;
        long start = Now();
        foreach (int number in order)
        {
            double score = scores[number] = _random.NextDouble();
            int length = WriteText(text, "member:", number);
            ReadOnlySpan<byte> member = text[1..length];
            entry[0] = 200;
            MemoryMarshal.Write(entry[1..], score);
            member.CopyTo(entry[9..]);
            Check(!trees.Find(new TreeView(tree), ScoreOrder.KeyOf(score, member), ref cursor));
            trees.Insert(tree, ref cursor, entry[..(9 + member.Length)]);
            payload += 8 + member.Length;
            ulong hash = prints.Order.PrintOf(member);
            FingerprintOrder.WriteFingerprint(entry, hash);
            entry[FingerprintOrder.HashBytes] = 200;
            MemoryMarshal.Write(entry[(FingerprintOrder.HashBytes + 1)..], score);
            prints.Find(new TreeView(print), FingerprintOrder.KeyOf(hash, score), ref cursor);
            prints.Insert(print, ref cursor, entry[..(FingerprintOrder.HashBytes + 9)]);
        }

        double insert = PerOperation(start, count);
        long bytes = _trees.Heap.Bytes;
        long live = _trees.Heap.LiveBytes;
        int[] probes = _random.GetItems(order, Probes);
        start = Now();
        foreach (int number in probes)
        {
            // Like ZSCORE: the fingerprint gives the position, the tree of scores confirms it.
            int length = WriteText(text, "member:", number);
            ulong hash = prints.Order.PrintOf(text[1..length]);
            prints.Find(new TreeView(print), FingerprintOrder.KeyOf(hash), ref cursor);
            Check(FingerprintOrder.PrintIn(cursor.Entry) == hash);
        }

        double find = PerOperation(start, Probes);
        start = Now();
        foreach (int number in probes)
        {
            int length = WriteText(text, "member:", number);
            Check(trees.Find(new TreeView(tree), ScoreOrder.KeyOf(scores[number], text[1..length]), ref cursor) && cursor.Rank < count);
        }

        double rank = PerOperation(start, Probes);
        start = Now();
        foreach (int number in order)
        {
            int length = WriteText(text, "member:", number);
            Check(trees.Find(new TreeView(tree), ScoreOrder.KeyOf(scores[number], text[1..length]), ref cursor));
            trees.Remove(tree, ref cursor);
        }

        Print("sorted set", count, insert, find, rank, PerOperation(start, count), double.NaN, bytes, live, (double)payload / count);
        End(tree);
        End(print);
    }

    private void List(int count)
    {
        CountedTree<PositionOrder> trees = _trees.Positions;
        TreeHeader* tree = _trees.Create();
        TreeCursor cursor = default;
        Span<byte> entry = stackalloc byte[64];
        long payload = 0;
        long start = Now();
        for (int i = 0; i < count; i++)
        {
            int length = WriteText(entry, "el", i);
            cursor.Seek(new TreeView(tree), tree->Count);
            trees.Insert(tree, ref cursor, entry[..length]);
            payload += length - 1;
        }

        double insert = PerOperation(start, count);
        long bytes = _trees.Heap.Bytes;
        long live = _trees.Heap.LiveBytes;
        start = Now();
        for (int i = 0; i < Probes; i++)
        {
            cursor.Seek(new TreeView(tree), _random.Next(count));
            Check(cursor.Entry.Length == 11);
        }

        double seek = PerOperation(start, Probes);
        start = Now();
        cursor.Seek(new TreeView(tree), 0);
        long seen = 1;
        while (cursor.MoveNext())
            seen += cursor.Entry.Length / 11;

        Check(seen == count);
        double next = PerOperation(start, count);
        start = Now();
        for (int i = 0; i < count; i++)
        {
            cursor.Seek(new TreeView(tree), 0);
            trees.Remove(tree, ref cursor);
        }

        Print("list (find: next)", count, insert, next, seek, PerOperation(start, count), double.NaN, bytes, live, (double)payload / count);
        End(tree);
    }

    // The memory of a hash table of the same elements, with keys created in the same way.
    private void Dictionary(int count)
    {
        var table = new Dictionary<string, int>();
        int[] order = Shuffled(count);
        long start = Now();
        foreach (int number in order)
            table.Add(string.Create(CultureInfo.InvariantCulture, $"field:{number:D8}"), number);

        double insert = PerOperation(start, count);
        Dictionary<string, int>.AlternateLookup<ReadOnlySpan<char>> lookup = table.GetAlternateLookup<ReadOnlySpan<char>>();
        int[] probes = _random.GetItems(order, Probes);
        Span<char> text = stackalloc char[14];
        "field:".CopyTo(text);
        start = Now();
        foreach (int number in probes)
        {
            number.TryFormat(text[6..], out _, "D8", CultureInfo.InvariantCulture);
            Check(lookup.TryGetValue(text, out int got) && got == number);
        }

        Print("(Dictionary)", count, insert, PerOperation(start, Probes), double.NaN, double.NaN, double.NaN, 0, 0, double.NaN);
    }

    private void End(TreeHeader* tree)
    {
        _trees.Drop(tree);
        while (_trees.Reclaimer.Run(100_000)) { }

        _trees.Heap.GiveBack(everything: true);
    }

    private static void Check(bool isRight)
    {
        if (!isRight)
            throw new InvalidOperationException("A tree answered wrongly.");
    }
}
