// One execution of a script. Used by its thread.
using System.Diagnostics;
using Garnet.Server.Scripting.Functions;
using Garnet.Server.Transactions;

namespace Garnet.Server.Scripting;

/// <summary>Who runs a script, what it may do, and what it has done so far.</summary>
internal sealed class ScriptRun : CommandScope
{
    private bool _isSlow;

    /// <summary>Only commands that read are allowed.</summary>
    public bool IsReadOnly { get; init; }

    /// <summary>Commands are not rejected because memory is exhausted.</summary>
    public bool AllowsOom { get; init; }

    /// <summary>What runs.</summary>
    public required RunnableScript Script { get; init; }

    /// <summary>The command that runs it; set for functions only.</summary>
    public required RunningCommand Command { get; init; }

    /// <summary>When it began.</summary>
    public long StartTimestamp { get; } = Stopwatch.GetTimestamp();

    /// <summary>Whether it is a function, not a script of EVAL.</summary>
    public bool IsFunction => Script is LibraryFunction;

    /// <summary>It has run for longer than busy-reply-threshold; read by any thread.</summary>
    public bool IsSlow
    {
        get => Volatile.Read(ref _isSlow);
        set => Volatile.Write(ref _isSlow, value);
    }

    /// <summary>The error with which the script ends at its next step; null while it may run on.</summary>
    public string? EndReason { get; set; }
}
