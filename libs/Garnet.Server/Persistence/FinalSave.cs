// The last snapshot before a server ends. Thread-safe; one shutdown is prepared at a time.
using Garnet.Persistence.Snapshots;
using Garnet.Server.Configuration;
using Garnet.Server.Sessions;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Persistence;

/// <summary>
/// Blocks writes from here on, so that no acknowledged one is missing from the snapshot, and saves. If that fails the server had better
/// keep running: writes continue, and the requester is informed.
/// </summary>
internal sealed class FinalSave(
    ServerPersistence persistence,
    ServerConfiguration configuration,
    HybridLogStore store,
    ClientPause pause,
    ServerClock clock,
    ILogger log
)
{
    private static readonly TimeSpan RetryPeriod = TimeSpan.FromMilliseconds(5);
    private readonly Lock _gate = new();
    private Task<bool>? _running;
    private volatile bool _isAborted;

    /// <summary>True when the data need not be saved any more: it was, or the server ends without saving.</summary>
    public bool IsDone { get; private set; }

    /// <summary>True when a snapshot was requested at the end, and the server ends without one.</summary>
    public bool IsMissing { get; private set; }

    /// <summary>
    /// Prepares the shutdown; false when the server should keep running, because its data could not be saved (or the shutdown was
    /// cancelled).
    /// </summary>
    /// <param name="mode">Whether to save.</param>
    /// <param name="isForced">True to end even when saving fails.</param>
    public Task<bool> PrepareAsync(ShutdownMode mode, bool isForced)
    {
        bool saves =
            !persistence.IsLoading
            && (mode == ShutdownMode.Save || (mode == ShutdownMode.BySchedule && configuration.Current.Save.Count > 0));
        if (!saves)
        {
            IsDone = true;
            return Task.FromResult(true);
        }

        lock (_gate)
        {
            if (_running is { IsCompleted: false })
                return _running;
            _isAborted = false;
            return _running = Task.Run(() => SaveAsync(isForced));
        }
    }

    /// <summary>Cancels a shutdown being prepared; false when there is none.</summary>
    public bool Abort()
    {
        lock (_gate)
        {
            if (_running is not { IsCompleted: false })
                return false;
            _isAborted = true;
            persistence.Snapshots.Cancel();
            return true;
        }
    }

    /// <summary>Ends the server at once, without the snapshot being saved; false when there is none.</summary>
    public bool Abandon()
    {
        lock (_gate)
        {
            if (_running is not { IsCompleted: false })
                return false;
            _isAborted = true;
            IsMissing = true;
            IsDone = true;
            persistence.Snapshots.Cancel();
            return true;
        }
    }

    private async Task<bool> SaveAsync(bool isForced)
    {
        log.LogInformation("Saving the final snapshot before shutdown");
        pause.Begin(long.MaxValue, onlyWrites: true, clock.NowMs);
        SaveOutcome? outcome = await TrySaveAsync().ConfigureAwait(false);
        bool isSaved = outcome is { Result: SaveResult.Success };
        if (isSaved || (isForced && !_isAborted))
        {
            if (!isSaved)
                log.LogWarning("The final snapshot could not be saved; the server shuts down nevertheless, as requested");
            IsMissing = !isSaved;
            IsDone = true;
            return true;
        }

        log.LogWarning(
            _isAborted
                ? "The final snapshot was abandoned"
                : "The final snapshot could not be saved; the server keeps running, because its data would be lost"
        );
        pause.Lift();
        return false;
    }

    // A save in progress began before the last writes: it is cancelled in favour of one that includes them.
    private async Task<SaveOutcome?> TrySaveAsync()
    {
        using StoreSession session = store.OpenSession();
        Task<SaveOutcome> done;
        while (!persistence.Snapshots.TryBegin(session, isUrgent: true, out done))
        {
            if (_isAborted || persistence.Snapshots.Saver.IsDisposed)
                return null;
            persistence.Snapshots.Saver.Cancel();
            await Task.Delay(RetryPeriod).ConfigureAwait(false);
        }

        // If the shutdown was cancelled before the save had begun, there was nothing to cancel.
        if (_isAborted)
            persistence.Snapshots.Cancel();
        return await done.ConfigureAwait(false);
    }
}
