// MULTI, EXEC and WATCH of one client. Part of a ClientSession: written by its thread, read by others for CLIENT LIST.
using System.Diagnostics;
using Garnet.Engine.Rules;

namespace Garnet.Engine.Execution;

/// <summary>The client's transaction: the open one, or the one that EXEC runs, and its watched keys.</summary>
internal struct ClientTransactions
{
    private const long LongMicroseconds = 1000;

    private bool _hasTransacted;
    private long _timeMicroseconds; // 0 until a command of the script or transaction asks

    /// <summary>The open MULTI, or null.</summary>
    public Transaction? Open
    {
        readonly get;
        set
        {
            _hasTransacted |= value is not null;
            field = value;
        }
    }

    /// <summary>The transaction whose commands EXEC is running, or null.</summary>
    public Transaction? Executed
    {
        readonly get;
        set
        {
            field = value;
            _timeMicroseconds = 0;
        }
    }

    /// <summary>The script that the client runs, or null.</summary>
    public CommandScope? Script
    {
        readonly get;
        set
        {
            field = value;
            if (Executed is null)
                _timeMicroseconds = 0;
        }
    }

    /// <summary>The innermost command of a module that runs and may call others, or null.</summary>
    public CommandScope? Module { get; set; }

    /// <summary>The module outside of whose commands the client calls commands; null for all others.</summary>
    public object? Caller { get; set; }

    /// <summary>
    /// True while EXEC, a script or a module runs several commands as one: nothing may block, and effects are collected into one group.
    /// </summary>
    public readonly bool IsExecuting => Executed is not null || Script is not null || Module is not null;

    /// <summary>Whether replies go to a script or module instead of the connection.</summary>
    public readonly bool IsCalled => Script is not null || Module is not null;

    /// <summary>Unix microseconds; they stand still while a script or transaction runs, as the time by which keys expire does.</summary>
    public long TimeMicroseconds(TimeProvider clock)
    {
        if (Executed is null && Script is null)
            return Now(clock);
        if (_timeMicroseconds == 0)
        {
            // Another clock, in a test, does not go on by itself.
            bool isReal = clock == TimeProvider.System;
            long elapsed = isReal && Executed is null ? (long)Stopwatch.GetElapsedTime(Script!.StartTimestamp).TotalMicroseconds : 0;
            _timeMicroseconds = Now(clock) - (elapsed > LongMicroseconds ? elapsed : 0);
        }

        return _timeMicroseconds;
    }

    private static long Now(TimeProvider clock) => (clock.GetUtcNow() - DateTimeOffset.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond;

    /// <summary>Keys watched, or null before the first WATCH.</summary>
    public WatchedKeys? Watched { get; set; }

    /// <summary>
    /// Number of commands queued or run by EXEC, zero once a watched key has changed (CLIENT LIST multi); -1 before the first MULTI or
    /// WATCH.
    /// </summary>
    public readonly int QueuedCommands =>
        Watched is { IsTouched: true } ? 0 : (Open ?? Executed)?.Count ?? (_hasTransacted || Watched is not null ? 0 : -1);

    /// <summary>Memory of the queue (CLIENT LIST multi-mem).</summary>
    public readonly long QueuedBytes => (Open ?? Executed)?.MemoryBytes ?? 0;

    /// <summary>Nothing is executed any more: a command threw, and with it those that have called it.</summary>
    public void Abandon()
    {
        Executed = null;
        Script = null;
        Module = null;
    }

    /// <summary>Discards the open transaction and the watched keys (DISCARD, RESET, end of the connection).</summary>
    public void Reset()
    {
        Open?.Release();
        Open = null;
        Watched?.Clear();
    }
}
