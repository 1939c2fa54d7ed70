// DEBUG RELOAD: saves, clears and reloads while all clients wait. Started by the client's thread; runs on the thread pool.
using System.Text;
using Garnet.Persistence.Snapshots;
using Garnet.Protocol;
using Garnet.Server.CommandModel;
using Garnet.Server.Sessions;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Persistence;

/// <summary>Replies OK when the data has been loaded from the file, else with the error.</summary>
internal sealed class ReloadWait(RespServer server, bool saves) : PendingReply
{
    private string? _error;

    /// <inheritdoc/>
    public override Task WaitAsync(CancellationToken connectionClosed) => Task.Run(ReloadAsync, CancellationToken.None);

    /// <inheritdoc/>
    public override void WriteReply(ref RespWriter reply)
    {
        if (_error is null)
            reply.WriteOk();
        else
            reply.WriteError(Encoding.UTF8.GetBytes("ERR " + _error.ReplaceLineEndings(" ")));
    }

    private async Task ReloadAsync() => _error = await server.Persistence.AppendOnly.RunAloneAsync(ReloadAloneAsync).ConfigureAwait(false);

    private async Task<string?> ReloadAloneAsync()
    {
        using StoreSession session = server.Store.OpenSession();
        server.Clients.Pause.Begin(long.MaxValue, onlyWrites: false, server.Clock.NowMs);
        // Clients that are exempt from the pause, or run after another client has lifted it, get LOADING errors. After the barrier no
        // command is running that was admitted before.
        server.Persistence.Loading = new LoadingStatus(server.Clock.Time.GetUtcNow().ToUnixTimeSeconds());
        session.RunExclusive(static () => { });
        try
        {
            return (saves ? await SaveAsync().ConfigureAwait(false) : null) ?? Load(session);
        }
        finally
        {
            server.Persistence.Loading = null;
            server.Clients.Pause.Lift();
        }
    }

    private async Task<string?> SaveAsync()
    {
        SnapshotKeeper snapshots = server.Persistence.Snapshots;
        SaveOutcome outcome = await snapshots.SaveInsteadAsync(CancellationToken.None).ConfigureAwait(false);
        if (snapshots.Saver.IsStopped)
            return "the server is shutting down";
        return outcome.Result == SaveResult.Success ? null : outcome.Error ?? "the save was cancelled";
    }

    private string? Load(StoreSession session)
    {
        // Expirations meanwhile are not logged: the file is loaded without the log.
        session.RunExclusive(() => server.Effects.IsPaused = true);
        server.Store.Databases.FlushAll(session);
        server.Scripts.Functions.Clear();
        try
        {
            new DataLoader(server).LoadSnapshot(server.Persistence.Snapshots.Path, CancellationToken.None);
            server.Log.LogInformation("The data was reloaded by DEBUG RELOAD");
            // The log continues from the loaded data. After a failure it keeps what it has: a rewrite now would lose all of it.
            if (!saves)
                server.Persistence.AppendOnly.ScheduleRewrite();
            return null;
        }
        catch (DataLoadException e)
        {
            server.Log.LogError("DEBUG RELOAD: {Error}", e.Message);
            return "Error trying to load the RDB dump, check server logs.";
        }
        finally
        {
            session.RunExclusive(() => server.Effects.IsPaused = false);
        }
    }
}
