// One execution of a script. Used by its thread.
using System.Diagnostics;
using Garnet.Server.Scripting.Functions;
using Garnet.Server.Sessions;

namespace Garnet.Server.Scripting;

/// <summary>Who runs a script, what it may do, and what it has done so far.</summary>
internal sealed class ScriptRun
{
    private bool _isSlow;

    public required ClientSession Client { get; init; }

    public required BatchContext Batch { get; init; }

    /// <summary>Only commands that read are allowed.</summary>
    public bool IsReadOnly { get; init; }

    /// <summary>Commands are not rejected because memory is exhausted.</summary>
    public bool AllowsOom { get; init; }

    /// <summary>The protocol version of replies to the script's commands.</summary>
    public int Protocol { get; set; } = 2;

    /// <summary>False while server.set_repl switched effects off.</summary>
    public bool Propagates { get; set; } = true;

    /// <summary>The database in which the effects gathered so far end.</summary>
    public int EffectsDatabase { get; set; }

    /// <summary>How many of the effects select a database.</summary>
    public int Selects { get; set; }

    /// <summary>A command that writes was let in: the script can no longer be stopped.</summary>
    public bool HasWritten { get; set; }

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
