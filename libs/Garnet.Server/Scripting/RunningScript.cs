// The script that runs alone now, as others see it. Any thread, unless a member says otherwise.
using Garnet.Engine.Rules;
using Garnet.Server.Configuration;

namespace Garnet.Server.Scripting;

/// <summary>
/// A script that may take long runs alone, under the barrier. Once it has run for busy-reply-threshold, other clients are let in between
/// its steps: most get an error, and a few commands can end it. Scripts that run beside others end soon and do not appear here.
/// </summary>
internal sealed class RunningScript(ServerConfiguration configuration) : IKeyspaceHolder
{
    private static readonly byte[] NotBusy = "NOTBUSY No scripts in execution right now."u8.ToArray();
    private static readonly byte[] FromPrimary =
        "UNKILLABLE The busy script was sent by a master instance in the context of replication and cannot be killed."u8.ToArray();
    private static readonly byte[] Written =
        "UNKILLABLE Sorry the script already executed write commands against the dataset. You can either wait the script termination or kill the server in a hard way using the SHUTDOWN NOSAVE command."u8.ToArray();

    private volatile ScriptRun? _run;
    private volatile bool _isEnding;
    private volatile bool _hasAborted;

    /// <summary>The script that runs alone, or null.</summary>
    public ScriptRun? Run => _run;

    /// <inheritdoc/>
    public bool IsRunning => _run is not null;

    /// <summary>Whether a script runs that has exceeded busy-reply-threshold.</summary>
    public bool IsSlow => _run is { IsSlow: true };

    /// <summary>Whether the server ends, so that no script runs on.</summary>
    public bool IsEnding => _isEnding;

    /// <summary>Whether a script was ended after it had written: the data must not be saved any more.</summary>
    public bool HasAborted => _hasAborted;

    /// <inheritdoc/>
    public ReadOnlySpan<byte> BusyError =>
        (_run is { IsFunction: true }, configuration.Current.ExtendedRedisCompatibility) switch
        {
            (false, false) => BusyText.BusyScript,
            (false, true) => BusyText.BusyScriptAsRedis,
            (true, false) => BusyText.BusyFunction,
            (true, true) => BusyText.BusyFunctionAsRedis,
        };

    /// <summary>Sets the script that runs. The thread that runs it, under the barrier.</summary>
    public void Begin(ScriptRun run) => _run = run;

    /// <summary>Notes its end.</summary>
    public void End() => _run = null;

    /// <summary>
    /// Ends the slow script at its next step, for SCRIPT KILL and FUNCTION KILL. Inside a batch: the script stands still, so that it cannot
    /// begin to write meanwhile.
    /// </summary>
    /// <param name="isFunction">Whether a function is to be ended, instead of a script of EVAL.</param>
    /// <param name="error">The reply where it cannot be ended.</param>
    public bool TryKill(bool isFunction, out ReadOnlySpan<byte> error)
    {
        ScriptRun? run = _run;
        error =
            run is null ? NotBusy
            : run.Client.Origin.IsReplay ? FromPrimary
            : run.HasWritten ? Written
            : run.IsFunction != isFunction ? BusyError
            : default;
        if (!error.IsEmpty)
            return false;
        run!.EndReason = isFunction ? "Script killed by user with FUNCTION KILL." : "Script killed by user with SCRIPT KILL.";
        return true;
    }

    /// <summary>
    /// The server ends: the script, and any that follows, is ended at its next step whatever it has written. Its effects are discarded.
    /// </summary>
    public void EndWithServer() => _isEnding = true;

    /// <summary>Notes that a script which had written was ended. The thread that runs it.</summary>
    public void OnAborted() => _hasAborted = true;
}
