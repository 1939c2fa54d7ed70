// What the server knows of scripts: those sent, and the one that runs. Thread-safe.
using System.Diagnostics;

namespace Garnet.Server.Scripting;

/// <summary>The cache of scripts and the running one; scripts run one at a time, because each runs alone.</summary>
internal sealed class ServerScripts
{
    private volatile ScriptRun? _running;

    public ScriptCache Cache { get; } = new();

    /// <summary>The script that runs now, or null.</summary>
    public ScriptRun? Running => _running;

    /// <summary>True when the running script has taken longer than busy-reply-threshold: others get BUSY.</summary>
    public bool IsBusy => _running is { IsSlow: true };

    public void Begin(ScriptRun run)
    {
        Debug.Assert(_running is null, "Scripts run one at a time.");
        _running = run;
    }

    public void End() => _running = null;

    /// <summary>Ends the running script at its next interval, for SCRIPT KILL or FUNCTION KILL.</summary>
    /// <param name="isFunction">Whether a function is meant.</param>
    /// <returns>The error, or null.</returns>
    public string? Kill(bool isFunction)
    {
        if (_running is not { } run)
            return "NOTBUSY No scripts in execution right now.";
        if (run.HasWritten)
        {
            return "UNKILLABLE Sorry the script already executed write commands against the dataset. You can either wait the script "
                + "termination or kill the server in a hard way using the SHUTDOWN NOSAVE command.";
        }

        if (run.IsFunction != isFunction)
            return run.BusyError;
        run.IsKilled = true;
        return null;
    }
}
