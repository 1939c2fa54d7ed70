// What a client's command waits for. Part of a ClientSession: written by its thread, read by others.

namespace Garnet.Engine.Execution;

/// <summary>Whether a client waits, and the reply that it waits for.</summary>
internal struct ClientWait
{
    /// <summary>How often the next command has waited for memory.</summary>
    public int MemoryWaits;

    /// <summary>Whether the next command has been shown to monitors before it was put off: scripts are shown before they begin.</summary>
    public bool IsShown;

    /// <summary>Whether the next command has waited for a copy of its value.</summary>
    public bool HasCopiedBlock;

    /// <summary>What the next command has to wait for before it is asked for again.</summary>
    public Task? Before { get; set; }

    /// <summary>Whether that is the end of CLIENT PAUSE, which counts as blocked in Valkey too.</summary>
    public bool IsPaused { get; set; }

    /// <summary>
    /// True while the client waits for a pending reply, or CLIENT PAUSE delays its next command, which counts as blocked in Valkey too.
    /// </summary>
    public bool IsBlocked { get; set; }

    /// <summary>True while the client's next command is delayed, by a pause or by a snapshot that has no space for old images.</summary>
    public bool IsHeldBack { get; set; }

    /// <summary>What CLIENT UNBLOCK ends; null when the client is not blocked.</summary>
    public PendingReply? Reply { get; set; }

    /// <summary>The command that waited will not come again: the next one has not waited yet.</summary>
    public void ForgetAttempts()
    {
        MemoryWaits = 0;
        IsShown = HasCopiedBlock = false;
    }
}
