// What there is of the append-only log. Changed by one thread at a time; read by any.
using Garnet.Persistence.AppendLog;

namespace Garnet.Server.Persistence;

/// <summary>The open log, or one that could not be opened, or the reason why there is none although there should be.</summary>
/// <param name="changed">Called after each change: the gates of saving follow.</param>
internal sealed class LogPresence(Action changed)
{
    private volatile AppendOnlyLog? _log;
    private volatile UnopenedLog? _unopened;
    private volatile string? _deniedUntilBase;

    /// <summary>The open log.</summary>
    public AppendOnlyLog? Log
    {
        get => _log;
        set
        {
            _log = value;
            changed();
        }
    }

    /// <summary>A log that the disk had no space for at the start.</summary>
    public UnopenedLog? Unopened
    {
        get => _unopened;
        set
        {
            _unopened = value;
            changed();
        }
    }

    /// <summary>Why writes are denied until a base is written: the system's message.</summary>
    public string? DeniedUntilBase
    {
        get => _deniedUntilBase;
        set
        {
            _deniedUntilBase = value;
            changed();
        }
    }

    /// <summary>Whether effects are logged, or would be if the disk let them.</summary>
    public bool IsAny => _log is not null || _unopened is not null || _deniedUntilBase is not null;
}
