// The last snapshot before a server ends. Thread-safe; one end is prepared at a time.
using Garnet.Persistence.Snapshots;
using Garnet.Server.Sessions;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Persistence;

/// <summary>
/// Keeps writes back from here on, so that no acknowledged one is missing in the snapshot, and saves. When that fails the server is better
/// kept running: writes go on, and whoever asked is told.
/// </summary>
public sealed class FinalSave(RespServer server)
{
    private static readonly TimeSpan RetryPeriod = TimeSpan.FromMilliseconds(5);
    private readonly Lock _gate = new();
    private Task<bool>? _running;
    private volatile bool _isAborted;

    /// <summary>True when the data need not be saved any more: it was, or the server ends without.</summary>
    public bool IsDone { get; private set; }

    /// <summary>True when a snapshot was wanted at the end, and the server ends without one.</summary>
    public bool IsMissing { get; private set; }

    /// <summary>
    /// Makes the server ready to end; false when it should go on, since its data could not be saved (or somebody took the end back).
    /// </summary>
    /// <param name="mode">Whether to save.</param>
    /// <param name="isForced">True to end even when saving fails.</param>
    public Task<bool> PrepareAsync(ShutdownMode mode, bool isForced)
    {
        bool saves =
            !server.IsLoading
            && (mode == ShutdownMode.Save || (mode == ShutdownMode.BySchedule && server.Configuration.Current.Save.Count > 0));
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

    /// <summary>Takes an end that is being prepared back; false when none is.</summary>
    public bool Abort()
    {
        lock (_gate)
        {
            if (_running is not { IsCompleted: false })
                return false;
            _isAborted = true;
            server.Snapshots.Cancel();
            return true;
        }
    }

    /// <summary>Has the server end at once, without the snapshot that is being saved; false when none is.</summary>
    public bool GiveUp()
    {
        lock (_gate)
        {
            if (_running is not { IsCompleted: false })
                return false;
            _isAborted = true;
            IsMissing = true;
            IsDone = true;
            server.Snapshots.Cancel();
            return true;
        }
    }

    private async Task<bool> SaveAsync(bool isForced)
    {
        server.Log.LogInformation("Saving the final snapshot before the end");
        server.Pause.Begin(long.MaxValue, onlyWrites: true, server.NowMs);
        SaveOutcome? outcome = await TrySaveAsync().ConfigureAwait(false);
        bool isSaved = outcome is { Result: SaveResult.Success };
        if (isSaved || (isForced && !_isAborted))
        {
            if (!isSaved)
                server.Log.LogWarning("The final snapshot could not be saved; the server ends all the same, as it was told to");
            IsMissing = !isSaved;
            IsDone = true;
            return true;
        }

        server.Log.LogWarning(
            _isAborted
                ? "The final snapshot was given up"
                : "The final snapshot could not be saved; the server goes on, as its data would be lost"
        );
        server.Pause.Lift();
        return false;
    }

    // A save under way began before the last writes: it is given up for one that holds them.
    private async Task<SaveOutcome?> TrySaveAsync()
    {
        using StoreSession session = server.Store.OpenSession();
        Task<SaveOutcome> done;
        while (!server.Snapshots.TryBegin(session, isUrgent: true, out done))
        {
            if (_isAborted || server.Snapshots.Saver.IsDisposed)
                return null;
            server.Snapshots.Saver.Cancel();
            await Task.Delay(RetryPeriod).ConfigureAwait(false);
        }

        // Who took the end back before the save had begun found nothing to cancel.
        if (_isAborted)
            server.Snapshots.Cancel();
        return await done.ConfigureAwait(false);
    }
}
