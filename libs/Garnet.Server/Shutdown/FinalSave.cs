// What precedes the end of a server: its replicas catch up, and the last snapshot is saved. Thread-safe; one shutdown at a time.
using Garnet.Engine.Clients;
using Garnet.Persistence.Snapshots;
using Garnet.Server.Configuration;
using Garnet.Server.Persistence;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Shutdown;

/// <summary>
/// Blocks writes from here on, so that no acknowledged one is missing from the replicas and the snapshot, waits for the replicas, and
/// saves. If that fails the server had better keep running: writes continue, and the requester is informed.
/// </summary>
internal sealed class FinalSave(
    ServerPersistence persistence,
    ServerConfiguration configuration,
    ClientPause pause,
    ServerClock clock,
    LastEffects lastEffects,
    ILogger log
)
{
    private readonly Lock _gate = new();
    private Task<bool>? _running;
    private CancellationTokenSource _abort = new();
    private bool _saves;
    private volatile bool _isAborted;

    /// <summary>The wait for replicas.</summary>
    public LastEffects LastEffects => lastEffects;

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
    /// <param name="isImmediate">True to end without waiting for replicas.</param>
    public Task<bool> PrepareAsync(ShutdownMode mode, bool isForced, bool isImmediate = false)
    {
        bool saves =
            !persistence.IsLoading
            && (mode == ShutdownMode.Save || (mode == ShutdownMode.BySchedule && configuration.Current.Save.Count > 0));
        bool waits = !isImmediate && !IsDone && lastEffects.MustWait;
        if (!saves && !waits)
        {
            IsDone = true;
            return Task.FromResult(true);
        }

        lock (_gate)
        {
            if (_running is { IsCompleted: false })
                return _running;
            _isAborted = false;
            _saves = saves;
            _abort = new CancellationTokenSource();
            CancellationToken aborted = _abort.Token;
            return _running = Task.Run(() => PrepareAsync(saves, waits, isForced, aborted));
        }
    }

    /// <summary>
    /// Pauses writes and waits for the replicas, for a server that ends although nothing was prepared; until the token is cancelled.
    /// </summary>
    public async Task AwaitReplicasAsync(CancellationToken cancel)
    {
        if (IsDone || !lastEffects.MustWait)
            return;
        pause.Begin(long.MaxValue, onlyWrites: true, clock.NowMs);
        await lastEffects.WaitAsync(cancel).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    /// <summary>Cancels a shutdown being prepared; false when there is none.</summary>
    public bool Abort()
    {
        lock (_gate)
        {
            if (_running is not { IsCompleted: false })
                return false;
            EndPreparation();
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
            IsMissing = _saves;
            IsDone = true;
            EndPreparation();
            return true;
        }
    }

    private void EndPreparation()
    {
        _isAborted = true;
        // Also cancels the save, if it has been requested.
        _ = _abort.CancelAsync();
    }

    private async Task<bool> PrepareAsync(bool saves, bool waits, bool isForced, CancellationToken aborted)
    {
        pause.Begin(long.MaxValue, onlyWrites: true, clock.NowMs);
        if (waits)
            await lastEffects.WaitAsync(aborted).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (_isAborted)
        {
            log.LogWarning("The shutdown was abandoned while replicas were waited for");
            pause.Lift();
            return false;
        }

        if (saves)
            return await SaveAsync(isForced, aborted).ConfigureAwait(false);
        IsDone = true;
        return true;
    }

    private async Task<bool> SaveAsync(bool isForced, CancellationToken aborted)
    {
        log.LogInformation("Saving the final snapshot before shutdown");
        // A save in progress began before the last writes: it is cancelled in favour of one that includes them.
        SaveOutcome outcome = await persistence.Snapshots.SaveInsteadAsync(aborted).ConfigureAwait(false);
        bool isSaved = outcome.Result == SaveResult.Success;
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
}
