// The execution of a script. Used by its thread.
using System.Diagnostics;
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;

namespace Garnet.Server.Scripting;

/// <summary>Who runs a script, what it may do, and what it has done so far. A machine uses one object for all its scripts.</summary>
internal sealed class ScriptRun(RunningCommand command) : CommandScope
{
    private bool _isSlow;

    /// <inheritdoc/>
    public override Origin Origin => Origin.Script;

    /// <summary>Only commands that read are allowed.</summary>
    public bool IsReadOnly { get; private set; }

    /// <summary>Commands are not rejected because memory is exhausted.</summary>
    public bool AllowsOom { get; private set; }

    /// <summary>What runs.</summary>
    public RunnableScript Script { get; private set; } = null!;

    /// <summary>The command that runs it; set for functions only.</summary>
    public RunningCommand Command => command;

    /// <summary>The state's instructions when it began.</summary>
    public long StartInstructions { get; set; }

    /// <summary>The state's allocated bytes when it began.</summary>
    public long StartBytes { get; set; }

    /// <summary>Whether it is a function, not a script of EVAL.</summary>
    public bool IsFunction => Script.IsFunction;

    /// <summary>
    /// Whether it runs alone, under the barrier; otherwise it has latched its keys and runs beside others, which it does not keep waiting
    /// for long.
    /// </summary>
    public bool IsAlone { get; private set; }

    /// <summary>It has run for longer than busy-reply-threshold; read by any thread.</summary>
    public bool IsSlow
    {
        get => Volatile.Read(ref _isSlow);
        set => Volatile.Write(ref _isSlow, value);
    }

    /// <summary>The error with which the script ends at its next step; null while it may run on.</summary>
    public string? EndReason { get; set; }

    /// <summary>Begins the next execution.</summary>
    public void Begin(ref CommandContext context, RunnableScript script, bool isReadOnly)
    {
        Script = script;
        Client = context.Client;
        Scratch = context.Scratch;
        IsReadOnly = isReadOnly || (script.Flags & ScriptFlags.NoWrites) != 0;
        AllowsOom = (script.Flags & ScriptFlags.AllowOom) != 0;
        IsAlone = context.Store.Barrier.IsExclusive;
        Protocol = 2;
        Propagates = true;
        Effects = new EffectScope(context.Client.Store.Database);
        HasWritten = false;
        IsSlow = false;
        EndReason = null;
        StartTimestamp = Stopwatch.GetTimestamp();
        // Only FUNCTION STATS shows it, which rejects scripts of EVAL and sees only what runs alone.
        if (IsFunction && IsAlone)
            command.Set(ref context);
    }
}
