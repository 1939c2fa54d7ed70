// Discards the data and loads it again, for DEBUG RELOAD and DEBUG LOADAOF. Begun by a client's thread; runs on the queue of the log's
// changes.
using Garnet.Engine.Clients;
using Garnet.Persistence.Snapshots;
using Garnet.Server.Effects;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Persistence;

/// <summary>Reloads from the log, or from a snapshot. Meanwhile other commands are rejected as during loading.</summary>
internal sealed class DataReload(
    ServerPersistence persistence,
    LogLoader logs,
    EffectFeed effects,
    ClientPause pause,
    ServerClock clock,
    ILogger log
)
{
    /// <inheritdoc cref="AppendOnly.ReloadAsync"/>
    public Task<string?> FromLogAsync() => persistence.AppendOnly.ReloadAsync(logs);

    /// <summary>Reloads the snapshot file while all clients wait. Returns the error, or null.</summary>
    /// <param name="saves">Whether the file is saved before.</param>
    public Task<string?> FromSnapshotAsync(bool saves) => persistence.AppendOnly.RunAloneAsync(() => ReloadAloneAsync(saves));

    private async Task<string?> ReloadAloneAsync(bool saves)
    {
        using StoreSession session = persistence.Data.Store.OpenSession();
        pause.Begin(long.MaxValue, onlyWrites: false, clock.NowMs);
        // Clients that are exempt from the pause, or run after another client has lifted it, get LOADING errors. After the barrier no
        // command is running that was admitted before.
        persistence.LoadingState.Begin();
        session.RunExclusive(static () => { });
        try
        {
            return (saves ? await SaveAsync().ConfigureAwait(false) : null) ?? Load(session, wasSaved: saves);
        }
        finally
        {
            persistence.LoadingState.End();
            pause.Lift();
        }
    }

    private async Task<string?> SaveAsync()
    {
        SnapshotKeeper snapshots = persistence.Snapshots;
        SaveOutcome outcome = await snapshots.SaveInsteadAsync(CancellationToken.None).ConfigureAwait(false);
        if (snapshots.Saver.IsStopped)
            return AppendOnly.ShuttingDown;
        return outcome.Result == SaveResult.Success ? null : outcome.Error ?? "the save was cancelled";
    }

    private string? Load(StoreSession session, bool wasSaved)
    {
        // Expirations meanwhile are not logged: the file is loaded without the log.
        session.RunExclusive(() => effects.IsPaused = true);
        persistence.Data.Clear(session);
        try
        {
            persistence.Reader.LoadFile(persistence.Snapshots.Path, keepsExpired: effects.IsFollowing, CancellationToken.None);
            log.LogInformation("The data was reloaded by DEBUG RELOAD");
            // The log continues from the loaded data. After a failure it keeps what it has: a rewrite now would lose all of it.
            if (!wasSaved)
                persistence.AppendOnly.ScheduleRewrite();
            return null;
        }
        catch (DataLoadException e)
        {
            log.LogError("DEBUG RELOAD: {Error}", e.Message);
            return "Error trying to load the RDB dump, check server logs.";
        }
        finally
        {
            session.RunExclusive(() => effects.IsPaused = false);
        }
    }
}
