// CLIENT PAUSE: until when commands wait, and which. Thread-safe.
using Garnet.Server.Commands;

namespace Garnet.Server.Sessions;

/// <summary>Holds clients back for a while; they wait without a thread and go on when the pause ends or is lifted.</summary>
public sealed class ClientPause
{
    // A pause may last for ages, a timer may not; after the wait it is looked at again.
    private const long LongestWaitMs = 60_000;

    private readonly Lock gate = new();
    private TaskCompletionSource? lifted;
    private volatile bool active;
    private bool writesOnly;
    private long untilMs;

    /// <summary>True when some command might have to wait; cheap enough to ask before every command.</summary>
    public bool MayBeActive => active;

    /// <summary>Whether the pause lasts at a moment.</summary>
    public bool IsActive(long nowMs) => active && nowMs < Volatile.Read(ref untilMs);

    /// <summary>Pauses until a moment; as in Valkey a shorter pause never shortens a running one, and pausing all outweighs pausing writes.</summary>
    public void Begin(long endMs, bool onlyWrites, long nowMs)
    {
        lock (gate)
        {
            bool running = active && untilMs > nowMs;
            untilMs = running ? Math.Max(untilMs, endMs) : endMs;
            writesOnly = running ? writesOnly && onlyWrites : onlyWrites;
            lifted ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            active = true;
        }
    }

    /// <summary>Ends the pause.</summary>
    public void Lift()
    {
        TaskCompletionSource? waiting;
        lock (gate)
        {
            waiting = lifted;
            lifted = null;
            active = false;
        }

        waiting?.TrySetResult();
    }

    /// <summary>Milliseconds left of the pause and its kind, for INFO; 0 when none.</summary>
    public long RemainingMs(long nowMs, out bool onlyWrites)
    {
        lock (gate)
        {
            onlyWrites = writesOnly;
            return active ? Math.Max(0, untilMs - nowMs) : 0;
        }
    }

    /// <summary>The wait that a command of these flags must make first, or null. Checked again after each wait, since a pause may have been prolonged.</summary>
    internal Task? WaitFor(CommandFlags flags, long nowMs, TimeProvider time, CancellationToken cancelled)
    {
        lock (gate)
        {
            if (!active)
                return null;
            if (untilMs <= nowMs)
            {
                active = false;
                lifted?.TrySetResult();
                lifted = null;
                return null;
            }

            if (writesOnly && (flags & (CommandFlags.Write | CommandFlags.MayReplicate)) == 0)
                return null;
            return Task.WhenAny(lifted!.Task, Task.Delay(TimeSpan.FromMilliseconds(Math.Min(untilMs - nowMs, LongestWaitMs)), time, cancelled));
        }
    }
}
