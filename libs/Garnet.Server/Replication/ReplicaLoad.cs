// Replaces the data by a primary's snapshot. One task, used once; clients get LOADING errors while the data is being replaced.
using Garnet.Engine.Execution;
using Garnet.Persistence.Rdb;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Garnet.Server.Persistence;
using Garnet.Server.Scripting;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Replication;

/// <summary>
/// Loads straight from the connection if there is no data to lose, or the options say so; otherwise receives the snapshot into a file
/// first, so that the present data is served until the new data is complete and was checked: a snapshot that cannot be loaded leaves it as
/// it is. Data that is not complete is never served: when loading fails, there is none. Or loads into a second set of databases, beside the
/// present data, which takes memory for both.
/// </summary>
internal sealed class ReplicaLoad(
    ServerReplication replication,
    ServerPersistence persistence,
    ServerConfiguration configuration,
    ServerIdentity identity,
    BlockedClients blocked,
    ILogger log,
    PrimaryConnection connection,
    PayloadStream payload,
    CancellationToken stopped
)
{
    private const string LibraryProblem = "A library of functions of the primary cannot be loaded: ";

    private static readonly TimeSpan AlivePeriod = TimeSpan.FromSeconds(1);
    private static readonly byte[] EmptyLine = "\n"u8.ToArray();

    /// <summary>Whether the former data is given up.</summary>
    public bool HasReplaced { get; private set; }

    /// <summary>Loads the snapshot, and takes over the primary's history.</summary>
    /// <returns>The database that is selected in the stream after it.</returns>
    public async Task<int> RunAsync(string id, long position)
    {
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(stopped);
        Task alive = KeepAliveAsync(ending.Token);
        try
        {
            int database = 0;
            Task<string?> loaded = persistence.AppendOnly.RunAloneAsync(() =>
                Task.Factory.StartNew(
                    () =>
                    {
                        database = Load(id, position);
                        return (string?)null;
                    },
                    CancellationToken.None,
                    TaskCreationOptions.LongRunning,
                    TaskScheduler.Default
                )
            );
            if (await loaded.ConfigureAwait(false) is { } problem)
                throw new IOException(problem);
            return database;
        }
        finally
        {
            await ending.CancelAsync().ConfigureAwait(false);
            await alive.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    // The primary hears that this server is busy.
    private async Task KeepAliveAsync(CancellationToken ended)
    {
        using PeriodicTimer timer = new(AlivePeriod);
        while (await timer.WaitForNextTickAsync(ended).ConfigureAwait(false))
            await connection.SendRawAsync(EmptyLine, ended).ConfigureAwait(false);
    }

    private int Load(string id, long position)
    {
        DisklessLoad mode = configuration.Current.DisklessLoad;
        if (mode == DisklessLoad.SwapDb && TryLoadBeside(id, position, out int database))
            return database;
        bool isDirect = mode == DisklessLoad.FlushBeforeLoad || (mode == DisklessLoad.OnEmptyDb && IsEmpty);
        if (isDirect)
            return Replace(payload, id, position);
        string path = Path.Combine(configuration.Current.Dir, $"temp-{Environment.ProcessId}-{identity.RunId[..8]}.sync.rdb");
        using FileStream file = new(
            path,
            new FileStreamOptions
            {
                Mode = FileMode.Create,
                Access = FileAccess.ReadWrite,
                BufferSize = 0,
                Options = FileOptions.DeleteOnClose,
            }
        );
        Receive(file);
        Check(file);
        return Replace(file, id, position);
    }

    private bool IsEmpty =>
        Enumerable
            .Range(0, persistence.Data.Store.Databases.Count)
            .All(database => persistence.Data.Store.Databases.KeyCount(database) == 0);

    private void Receive(FileStream file)
    {
        byte[] buffer = new byte[1 << 20];
        while (payload.Read(buffer) is > 0 and int received)
        {
            file.Write(buffer.AsSpan(0, received));
            stopped.ThrowIfCancellationRequested();
        }
    }

    // Reads all of it without keeping anything.
    private void Check(FileStream file)
    {
        file.Position = 0;
        RdbLoadResult result = persistence.Reader.Check(file, stopped);
        if (result.Bytes != file.Length)
            throw new IOException("its snapshot is followed by bytes that do not belong to it");
        if (persistence.Data.Functions.Check(result.Functions) is { } problem)
            throw new IOException(LibraryProblem + problem);
        file.Position = 0;
    }

    // False when there are too many databases for a second set.
    private bool TryLoadBeside(string id, long position, out int database)
    {
        database = 0;
        using StoreSession session = persistence.Data.Store.OpenSession();
        if (!persistence.Data.Store.Databases.TryPrepare(session))
        {
            log.LogWarning("There are too many databases for repl-diskless-load swapdb: the snapshot is received into a file");
            return false;
        }

        // Only data of the same history is worth being served meanwhile.
        persistence.LoadingState.Begin(payload.TotalBytes, isAsync: replication.History.Id == id);
        try
        {
            RdbLoadResult result = persistence.Reader.Load(payload, keepsExpired: true, stopped, intoPrepared: true);
            FunctionCatalog functions = persistence.Data.Functions.Prepare(isFresh: true);
            if (ServerFunctions.LoadAll(functions, result.Functions) is { } problem)
                throw new IOException(LibraryProblem + problem);
            payload.Finish();
            database = DatabaseOf(result);
            Exchange(session, functions, id, position, database);
            OnLoaded(result);
        }
        finally
        {
            if (!HasReplaced)
                persistence.Data.Store.Databases.GiveUpPrepared(session);
            persistence.LoadingState.End();
        }

        blocked.Serve();
        return true;
    }

    private void Exchange(StoreSession session, FunctionCatalog functions, string id, long position, int database)
    {
        try
        {
            LeaveFiles();
            session.RunExclusive(() =>
            {
                stopped.ThrowIfCancellationRequested();
                HasReplaced = true;
                persistence.Data.Store.Databases.Exchange(session);
                persistence.Data.Functions.Exchange(functions);
                replication.Effects.Adopt(id, position, database);
            });
        }
        finally
        {
            // The log was closed, whether the data is new or still the old.
            persistence.AppendOnly.ScheduleReplacement();
        }
    }

    // From here on nothing reads the data or the stream but clients.
    private void LeaveFiles()
    {
        persistence.Snapshots.Cancel();
        persistence.AppendOnly.CloseForReplacement();
        replication.Replicas.CloseAll();
        // The replicas of this server have been told to leave; their readers are closed by the threads of their connections.
        replication.Effects.Stream.ReadersClosedAsync().Wait(stopped);
    }

    private void OnLoaded(RdbLoadResult result)
    {
        persistence.Snapshots.OnLoaded();
        log.LogInformation("Loaded {Keys} keys, {Bytes} bytes from the primary", result.Keys, result.Bytes);
    }

    private int DatabaseOf(RdbLoadResult result)
    {
        int database = result.Aux.TryGetValue("repl-stream-db", out string? text) && int.TryParse(text, out int selected) ? selected : 0;
        return Math.Clamp(database, 0, persistence.Data.Store.Databases.Count - 1);
    }

    private int Replace(Stream source, string id, long position)
    {
        using StoreSession session = persistence.Data.Store.OpenSession();
        persistence.LoadingState.Begin(payload.TotalBytes);
        bool isComplete = false;
        HasReplaced = true;
        try
        {
            LeaveFiles();
            persistence.Data.Clear(session);
            RdbLoadResult result = persistence.Reader.Load(source, keepsExpired: true, stopped);
            if (persistence.Data.Functions.Restore(result.Functions) is { } problem)
                throw new IOException(LibraryProblem + problem);
            if (ReferenceEquals(source, payload))
                payload.Finish();
            int database = DatabaseOf(result);
            session.RunExclusive(() =>
            {
                stopped.ThrowIfCancellationRequested();
                replication.Effects.Adopt(id, position, database);
            });
            isComplete = true;
            persistence.AppendOnly.ScheduleReplacement();
            OnLoaded(result);
            return database;
        }
        finally
        {
            if (!isComplete)
            {
                // What is left belongs to no history.
                persistence.Data.Clear(session);
                replication.History.Change();
            }

            persistence.LoadingState.End();
        }
    }
}
