// A wait for the append-only log to be on the disk. Made by a session, completed by the log's thread.
using Garnet.Persistence.AppendLog;

namespace Garnet.Hosting.InProcess;

/// <summary>Completes when the disk has all that the log had been handed; fails when it never will.</summary>
internal sealed class DurabilityWait : IDurabilityWaiter
{
    private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private DurabilityWait() { }

    /// <exception cref="IOException">The log cannot be written.</exception>
    public static async Task UntilAsync(AppendOnlyLog log)
    {
        DurabilityWait wait = new();
        long offset = log.Appended;
        if (log.Await(offset, wait))
            await wait._done.Task.ConfigureAwait(false);
        if (log.Durable < offset)
            throw new IOException("The append-only log cannot be written.");
    }

    /// <inheritdoc/>
    public void OnDurable() => _done.TrySetResult();
}
