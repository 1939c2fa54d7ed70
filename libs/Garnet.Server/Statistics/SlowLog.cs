// Remembers commands slower than slowlog-log-slower-than. Thread-safe; the threshold is read without a lock before every command.
using System.Diagnostics;
using System.Text;
using Garnet.Server.Commands;
using Garnet.Server.Configuration;

namespace Garnet.Server.Statistics;

/// <summary>The slow log: newest entries first, bounded by slowlog-max-len.</summary>
public sealed class SlowLog
{
    private const int MaxArguments = 32;
    private const int MaxArgumentLength = 128;

    private readonly Lock gate = new();
    private readonly LinkedList<SlowLogEntry> entries = new();
    private readonly ServerConfiguration configuration;
    private long nextId;

    /// <summary>An empty log that follows the options.</summary>
    public SlowLog(ServerConfiguration configuration) => this.configuration = configuration;

    /// <summary>Least Stopwatch ticks of a slow command; no command is slow when it is <see cref="long.MaxValue"/>.</summary>
    public long ThresholdTicks
    {
        get
        {
            long microseconds = configuration.Current.SlowerThanMicroseconds;
            long ticksPerMicrosecond = Stopwatch.Frequency / 1_000_000;
            return (ulong)microseconds > (ulong)(long.MaxValue / ticksPerMicrosecond) ? long.MaxValue : microseconds * ticksPerMicrosecond;
        }
    }

    /// <summary>Number of entries.</summary>
    public int Length
    {
        get
        {
            lock (gate)
                return entries.Count;
        }
    }

    /// <summary>The newest entries, at most <paramref name="count"/>; -1 for all.</summary>
    public SlowLogEntry[] Newest(long count)
    {
        lock (gate)
            return entries.Take(count < 0 ? int.MaxValue : (int)Math.Min(count, int.MaxValue)).ToArray();
    }

    /// <summary>Forgets all entries.</summary>
    public void Clear()
    {
        lock (gate)
            entries.Clear();
    }

    internal void Add(ref CommandContext context, long ticks)
    {
        if ((context.Command.Flags & CommandFlags.SkipSlowlog) != 0)
            return;
        byte[][] arguments = Shorten(ref context);
        lock (gate)
        {
            entries.AddFirst(new SlowLogEntry(
                nextId++,
                context.NowMs / 1000,
                ticks / (Stopwatch.Frequency / 1_000_000),
                arguments,
                context.Client.Connection.RemoteAddress,
                context.Client.Name));
            while (entries.Count > configuration.Current.SlowLogMaxLength)
                entries.RemoveLast();
        }
    }

    private static byte[][] Shorten(ref CommandContext context)
    {
        byte[][] shown = new byte[Math.Min(context.Count, MaxArguments)][];
        for (int i = 0; i < shown.Length; i++)
        {
            ReadOnlySpan<byte> argument = context[i];
            if (IsSecret(ref context, i))
                shown[i] = "(redacted)"u8.ToArray();
            else if (i == MaxArguments - 1 && context.Count > MaxArguments)
                shown[i] = Encoding.ASCII.GetBytes($"... ({context.Count - MaxArguments + 1} more arguments)");
            else if (argument.Length > MaxArgumentLength)
                shown[i] = [.. argument[..MaxArgumentLength], .. Encoding.ASCII.GetBytes($"... ({argument.Length - MaxArgumentLength} more bytes)")];
            else
                shown[i] = argument.ToArray();
        }

        return shown;
    }

    // What may be a password.
    private static bool IsSecret(ref CommandContext context, int argument) => context.Command.FullName switch
    {
        "auth" => argument >= 1,
        "hello" => (argument >= 3 && context.Is(argument - 1, "AUTH"u8)) || (argument >= 4 && context.Is(argument - 2, "AUTH"u8)),
        "config|set" => argument >= 3 && argument % 2 == 1 && OptionTable.Find(Encoding.Latin1.GetString(context[argument - 1])) is { Sensitive: true },
        _ => false,
    };
}
