// A module for tests: one command of each kind. Immutable.
using Garnet.Modules;

namespace Garnet.Server.Tests.Modules;

/// <summary>Commands whose built-in equivalents tests and benchmarks compare them with, and commands with faults.</summary>
[Module("counters", Version = 7)]
public sealed class Counters : IModule
{
    private readonly byte[] _prefix = "p:"u8.ToArray();

    public void Load(IModuleHost host) { }

    [Command("CNT.GET", CommandFlags.ReadOnly | CommandFlags.Fast, Summary = "Replies with a counter.", Since = "1.2.0")]
    public static void Get(ref ModuleContext context, [Key] ReadOnlyHash counters, ReadOnlySpan<byte> name) =>
        context.Reply.WriteField(counters, name);

    [Command("CNT.INCR", CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast)]
    public static void Increment(ref ModuleContext context, [Key] ref HashKey counters, ReadOnlySpan<byte> name, long by)
    {
        if (counters.TryIncrement(name, by, out long sum))
            context.Reply.WriteInteger(sum);
        else
            context.Reply.WriteError("ERR the counter is no integer or would overflow"u8);
    }

    // The result is the wider of the two values, so that spans of one key are passed to another.
    [Command("CNT.MERGE", CommandFlags.Write | CommandFlags.DenyOom)]
    public static void Merge(
        ref ModuleContext context,
        [Key] ref HashKey target,
        [Key(KeyAccess.Read)] ref HashKey source,
        [Option("KEEP")] bool keeps = false,
        [Option("SCALE")] double scale = 1,
        [Option("NOTE")] ReadOnlySpan<byte> note = default
    )
    {
        int changed = 0;
        foreach (HashFieldValue each in source)
        {
            if (keeps && target.Contains(each.Field))
                continue;
            changed++;
            if (scale != 1 && source.TryGetDouble(each.Field, out double value))
                target.Set(each.Field, value * scale);
            else
                target.Set(each.Field, each.Value);
        }

        if (note.Length > 0)
            target.Set("note"u8, note);
        context.Reply.WriteInteger(changed);
    }

    [Command("CNT.PREFIX", CommandFlags.Write | CommandFlags.DenyOom)]
    public void Prefix(ref ModuleContext context, [Key] ref StringKey key, ReadOnlySpan<byte> value)
    {
        key.Set([.. _prefix, .. value]);
        context.Reply.WriteOk();
    }

    [Command("CNT.SUM", CommandFlags.None)]
    public static void Sum(ref ModuleContext context, double start, ArgumentList numbers)
    {
        context.Reply.WriteMap(2);
        context.Reply.WriteBulk("count"u8);
        context.Reply.WriteInteger(numbers.Count);
        context.Reply.WriteBulk("sum"u8);
        foreach (ReadOnlySpan<byte> number in numbers)
            start += double.Parse(number, System.Globalization.CultureInfo.InvariantCulture);
        context.Reply.WriteDouble(start);
    }

    [Command("CNT.FAULT", CommandFlags.Write)]
    public static void Fault(ref ModuleContext context, [Key] ref StringKey key, ReadOnlySpan<byte> kind)
    {
        key.Set("changed"u8);
        if (kind.SequenceEqual("none"u8))
            return;
        context.Reply.WriteArray(2);
        context.Reply.WriteInteger(1);
        if (kind.SequenceEqual("throw"u8))
            throw new FormatException("as asked\r\nfor");
        if (kind.SequenceEqual("half"u8))
            return;
        context.Reply.WriteInteger(2);
        context.Reply.WriteInteger(3);
    }

    [Command("CNT.SNEAK", CommandFlags.ReadOnly)]
    public static void Sneak(ref ModuleContext context, [Key] ref StringKey key)
    {
        key.Set("x"u8);
        context.Reply.WriteOk();
    }

    // Moves the elements of a list, the last first, into a set and with their positions as scores into a sorted set.
    [Command("CNT.MOVE", CommandFlags.Write | CommandFlags.DenyOom)]
    public static void Move(ref ModuleContext context, [Key] ref ListKey list, [Key] ref SetKey set, [Key] ref SortedSetKey sorted)
    {
        int position = 0;
        foreach (ReadOnlySpan<byte> element in list)
        {
            set.Add(element);
            sorted.Set(element, position++);
        }

        while (list.Length > 0)
            list.RemoveRange(0, 1);
        int members = 0;
        foreach (ReadOnlySpan<byte> member in set)
            members += sorted.TryGetScore(member, out double _) ? 1 : 0;
        ScoredMembers best = sorted.Range(0, 2, isReverse: true);
        context.Reply.WriteArray(4);
        context.Reply.WriteInteger(members);
        context.Reply.WriteInteger(sorted.Length);
        context.Reply.WriteBulk(best.MoveNext() ? best.Current : default);
        context.Reply.WriteDouble(best.Score);
    }

    // Each element is appended to its own list once more, so that the store is given a span of what it changes.
    [Command("CNT.DOUBLE", CommandFlags.Write | CommandFlags.DenyOom)]
    public static void Double(ref ModuleContext context, [Key] ref ListKey list)
    {
        for (long i = 0, length = list.Length; i < length; i++)
            list.PushLast(list[i]);
        list.SetAt(0, list[1]);
        context.Reply.WriteInteger(list.Length);
    }

    [Command("CNT.SPIN")]
    public static void Spin(ref ModuleContext context)
    {
        while (!context.ShouldStop)
            Thread.Yield();
        context.Reply.WriteError("ERR stopped"u8);
    }

    [Command("CNT.ME")]
    public static void Me(ref ModuleContext context)
    {
        context.Reply.WriteArray(5);
        context.Reply.WriteInteger(context.NowMs);
        context.Reply.WriteInteger(context.Client.Id);
        context.Reply.WriteBulk(context.Client.UserName);
        context.Reply.WriteInteger(context.Database);
        context.Reply.WriteInteger(context.Client.ProtocolVersion);
    }
}
