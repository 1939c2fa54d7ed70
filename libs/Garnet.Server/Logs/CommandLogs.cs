// The logs of slow commands, large requests and large replies. Thread-safe; limits are read without a lock before each batch.
using System.Diagnostics;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;

namespace Garnet.Server.Logs;

/// <summary>The three logs of COMMANDLOG, and their limits.</summary>
internal sealed class CommandLogs : CommandRecorder
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
        foreach (string option in (ReadOnlySpan<string>)["latency-tracking", "latency-monitor-threshold"])
            configuration.OnChange(option, options => Limits = LimitsOf(options));
        Limits = LimitsOf(configuration.Current);
    }

    /// <summary>Slow commands; values are microseconds.</summary>
    public CommandLog Slow { get; }

    /// <summary>Large requests; values are bytes.</summary>
    public CommandLog LargeRequests { get; }

    /// <summary>Commands with large replies; values are bytes.</summary>
    public CommandLog LargeReplies { get; }

    /// <summary>Commands that exceeded latency-monitor-threshold, as shown by LATENCY.</summary>
    public LatencyMonitor Latency { get; } = new();

    /// <inheritdoc/>
    public override void RecordSlow(ref CommandContext context, long ticks)
    {
        GarnetOptions options = _configuration.Current;
        if (ticks >= LatencyTicks(options) && !context.Command.Has(CommandTraits.ClearsLatencies))
            RecordLatency(context.Command, ticks, context.NowMs);
        if (ticks >= SlowTicks(options) && IsLogged(context.Command))
            RecordSlow(LoggedCommand.Of(ref context), ticks);
    }

    /// <summary>Records a search for expired keys that took long.</summary>
    internal void RecordExpiryCycle(long ticks, long nowMs)
    {
        if (ticks >= LatencyTicks(_configuration.Current))
            Latency.Add(LatencyMonitor.ExpireCycle, nowMs / 1000, ticks / TicksPerMillisecond);
    }

    /// <inheritdoc/>
    public override LoggedCommand? KeepSlow(ref CommandContext context) =>
        SlowTicks(_configuration.Current) != long.MaxValue && IsLogged(context.Command) ? LoggedCommand.Of(ref context) : null;

    /// <inheritdoc/>
    public override void RecordSlow(PieceTime pieces, long nowMs)
    {
        GarnetOptions options = _configuration.Current;
        if (pieces.Ticks >= LatencyTicks(options))
            RecordLatency(pieces.Command, pieces.Ticks, nowMs);
        if (pieces.Logged is { } logged && pieces.Ticks >= SlowTicks(options))
            RecordSlow(logged, pieces.Ticks);
    }

    /// <inheritdoc/>
    public override void RecordLarge(LoggedCommand command, long replyBytes)
    {
        if (!IsLogged(command.Command))
            return;
        if (command.RequestBytes >= Limits.RequestBytes)
            LargeRequests.Add(command, command.RequestBytes);
        if (replyBytes >= Limits.ReplyBytes)
            LargeReplies.Add(command, replyBytes);
    }

    /// <inheritdoc/>
    public override void RecordGivenUp(BlockedCommand command, long replyBytes)
    {
        bool isSlow = command.TriedTicks != 0 && command.TriedTicks >= SlowTicks(_configuration.Current);
        if (!isSlow && command.RequestBytes < Limits.RequestBytes && replyBytes < Limits.ReplyBytes)
            return;
        LoggedCommand logged = command.AsSent();
        if (isSlow)
            RecordSlow(logged, command.TriedTicks);
        RecordLarge(logged, replyBytes);
    }

    /// <inheritdoc/>
    public override LoggedCommand? KeepLarge(ref CommandContext context) =>
        Math.Min(Limits.RequestBytes, Limits.ReplyBytes) != long.MaxValue && IsLogged(context.Command)
            ? LoggedCommand.Of(ref context)
            : null;

    /// <inheritdoc/>
    public override void CountPiece(PendingReply reply, long bytes)
    {
        reply.ReplyBytes += bytes;
        if (reply is { HasMore: false, Logged: { } command })
            RecordLarge(command, reply.ReplyBytes);
    }

    private void RecordLatency(Command command, long ticks, long nowMs) =>
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
                    Limits = LimitsOf(options);
                    if (leastLogged(options) != long.MaxValue)
                        log.Cut();
                }
            );
        }
    }

    private static RecordLimits LimitsOf(GarnetOptions options) =>
        new(
            Math.Min(SlowTicks(options), LatencyTicks(options)),
            Limit(options.LargeRequestBytes, options.LargeRequestLogMaxLength),
            Limit(options.LargeReplyBytes, options.LargeReplyLogMaxLength),
            options.LatencyTracking
        );

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
