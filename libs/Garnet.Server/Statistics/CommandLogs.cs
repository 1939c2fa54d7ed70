// The logs of slow commands, large requests and large replies. Thread-safe; limits are read without a lock before each batch.
using System.Diagnostics;
using Garnet.Server.Blocking;
using Garnet.Server.CommandModel;
using Garnet.Server.Configuration;

namespace Garnet.Server.Statistics;

/// <summary>The three logs of COMMANDLOG, and their limits.</summary>
internal sealed class CommandLogs
{
    private static readonly long TicksPerMicrosecond = Stopwatch.Frequency / 1_000_000;
    private static readonly long TicksPerMillisecond = Stopwatch.Frequency / 1000;

    private readonly ServerConfiguration _configuration;
    private readonly ServerActivities _activities;

    /// <summary>Creates empty logs that follow the options.</summary>
    public CommandLogs(ServerConfiguration configuration, ServerActivities activities)
    {
        _configuration = configuration;
        _activities = activities;
        Slow = new CommandLog(() => configuration.Current.SlowLogMaxLength);
        LargeRequests = new CommandLog(() => configuration.Current.LargeRequestLogMaxLength);
        LargeReplies = new CommandLog(() => configuration.Current.LargeReplyLogMaxLength);
        Follow(
            Slow,
            "commandlog-execution-slower-than",
            "commandlog-slow-execution-max-len",
            static options => Limit(options.SlowerThanMicroseconds, options.SlowLogMaxLength)
        );
        Follow(
            LargeRequests,
            "commandlog-request-larger-than",
            "commandlog-large-request-max-len",
            static options => Limit(options.LargeRequestBytes, options.LargeRequestLogMaxLength)
        );
        Follow(
            LargeReplies,
            "commandlog-reply-larger-than",
            "commandlog-large-reply-max-len",
            static options => Limit(options.LargeReplyBytes, options.LargeReplyLogMaxLength)
        );
    }

    /// <summary>Slow commands; values are microseconds.</summary>
    public CommandLog Slow { get; }

    /// <summary>Large requests; values are bytes.</summary>
    public CommandLog LargeRequests { get; }

    /// <summary>Commands with large replies; values are bytes.</summary>
    public CommandLog LargeReplies { get; }

    /// <summary>Commands that exceeded latency-monitor-threshold, as shown by LATENCY.</summary>
    public LatencyMonitor Latency { get; } = new();

    /// <summary>Stopwatch ticks from which a command is recorded by any log; <see cref="long.MaxValue"/> for none.</summary>
    internal long NoteworthyTicks
    {
        get
        {
            GarnetOptions options = _configuration.Current;
            return Math.Min(SlowTicks(options), LatencyTicks(options));
        }
    }

    /// <summary>Size from which a request is large; <see cref="long.MaxValue"/> for none.</summary>
    internal long LargeRequestBytes
    {
        get
        {
            GarnetOptions options = _configuration.Current;
            return Limit(options.LargeRequestBytes, options.LargeRequestLogMaxLength);
        }
    }

    /// <summary>As <see cref="LargeRequestBytes"/> for replies.</summary>
    internal long LargeReplyBytes
    {
        get
        {
            GarnetOptions options = _configuration.Current;
            return Limit(options.LargeReplyBytes, options.LargeReplyLogMaxLength);
        }
    }

    /// <summary>Records a command that took at least <see cref="NoteworthyTicks"/>.</summary>
    internal void RecordSlow(ref CommandContext context, long ticks)
    {
        GarnetOptions options = _configuration.Current;
        if (ticks >= LatencyTicks(options) && !context.Command.Has(CommandTraits.ClearsLatencies))
            NoteLatency(context.Command, ticks, context.NowMs);
        if (ticks >= SlowTicks(options) && IsLogged(context.Command))
            RecordSlow(LoggedCommand.Of(ref context), ticks);
    }

    /// <summary>Records a search for expired keys that took long.</summary>
    internal void NoteExpiryCycle(long ticks, long nowMs)
    {
        if (ticks >= LatencyTicks(_configuration.Current))
            Latency.Add(LatencyMonitor.ExpireCycle, nowMs / 1000, ticks / TicksPerMillisecond);
    }

    /// <summary>What the slow log may have to keep of a command that goes on later; null when it keeps nothing.</summary>
    internal LoggedCommand? KeepSlow(ref CommandContext context) =>
        SlowTicks(_configuration.Current) != long.MaxValue && IsLogged(context.Command) ? LoggedCommand.Of(ref context) : null;

    /// <summary>As <see cref="RecordSlow(ref CommandContext, long)"/> for a command that replied in pieces, with the last of them.</summary>
    internal void RecordSlow(PieceTime pieces, long nowMs)
    {
        GarnetOptions options = _configuration.Current;
        if (pieces.Ticks >= LatencyTicks(options))
            NoteLatency(pieces.Command, pieces.Ticks, nowMs);
        if (pieces.Logged is { } logged && pieces.Ticks >= SlowTicks(options))
            RecordSlow(logged, pieces.Ticks);
    }

    /// <summary>Records a command whose request or reply is large.</summary>
    internal void RecordLarge(LoggedCommand command, long replyBytes)
    {
        if (!IsLogged(command.Command))
            return;
        if (command.RequestBytes >= LargeRequestBytes)
            LargeRequests.Add(command, command.RequestBytes);
        if (replyBytes >= LargeReplyBytes)
            LargeReplies.Add(command, replyBytes);
    }

    /// <summary>Records a blocked command that ended without a result, by the time of its attempts and by its sizes.</summary>
    internal void NoteGivenUp(BlockedCommand command, long replyBytes)
    {
        bool isSlow = command.TriedTicks != 0 && command.TriedTicks >= SlowTicks(_configuration.Current);
        if (!isSlow && command.RequestBytes < LargeRequestBytes && replyBytes < LargeReplyBytes)
            return;
        LoggedCommand logged = command.AsSent();
        if (isSlow)
            RecordSlow(logged, command.TriedTicks);
        RecordLarge(logged, replyBytes);
    }

    /// <summary>
    /// The data of a command with a pending reply that is needed to log its sizes later; null when no log of sizes is on.
    /// </summary>
    internal LoggedCommand? Keep(ref CommandContext context) =>
        Math.Min(LargeRequestBytes, LargeReplyBytes) != long.MaxValue && IsLogged(context.Command) ? LoggedCommand.Of(ref context) : null;

    /// <summary>Counts a piece of such a reply, and records the command with its last one.</summary>
    internal void NoteLater(PendingReply reply, long bytes)
    {
        reply.ReplyBytes += bytes;
        if (reply is { HasMore: false, Logged: { } command })
            RecordLarge(command, reply.ReplyBytes);
    }

    private void NoteLatency(Command command, long ticks, long nowMs) =>
        Latency.Add(
            (command.Flags & CommandFlags.Fast) != 0 ? LatencyMonitor.FastCommand : LatencyMonitor.Command,
            nowMs / 1000,
            ticks / TicksPerMillisecond
        );

    private void RecordSlow(LoggedCommand command, long ticks)
    {
        Slow.Add(command, ticks / TicksPerMicrosecond);
        if (_activities.IsWatched)
        {
            _activities.Record(
                "garnet.slow_command",
                Stopwatch.GetElapsedTime(0, ticks),
                null,
                new("garnet.command", command.Command.FullName),
                new("garnet.client_id", command.Client.Id)
            );
        }
    }

    // A log that is on is trimmed at once; one that is off keeps its entries, as in Valkey.
    private void Follow(CommandLog log, string limit, string length, Func<GarnetOptions, long> leastLogged)
    {
        foreach (string option in (ReadOnlySpan<string>)[limit, length])
        {
            _configuration.OnChange(
                option,
                options =>
                {
                    if (leastLogged(options) != long.MaxValue)
                        log.Cut();
                }
            );
        }
    }

    private static bool IsLogged(Command command) => (command.Flags & CommandFlags.SkipSlowlog) == 0;

    private static long SlowTicks(GarnetOptions options)
    {
        long microseconds = Limit(options.SlowerThanMicroseconds, options.SlowLogMaxLength);
        return microseconds > long.MaxValue / TicksPerMicrosecond ? long.MaxValue : microseconds * TicksPerMicrosecond;
    }

    private static long LatencyTicks(GarnetOptions options)
    {
        long milliseconds = options.LatencyMonitorThresholdMs;
        return milliseconds == 0 || milliseconds > long.MaxValue / TicksPerMillisecond ? long.MaxValue : milliseconds * TicksPerMillisecond;
    }

    // A negative limit, or a maximum length of zero, disables a log.
    private static long Limit(long limit, long maxLength) => limit < 0 || maxLength == 0 ? long.MaxValue : limit;
}
