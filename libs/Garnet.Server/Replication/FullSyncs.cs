// Snapshots for replicas. The clock asks whether one is due; each runs on threads of its own, one at a time.
using System.Globalization;
using System.Text;
using Garnet.Persistence.Rdb;
using Garnet.Persistence.Snapshots;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Garnet.Server.Effects;
using Garnet.Server.Persistence;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Replication;

/// <summary>
/// Replicas that wait for a snapshot wait a little for others, and then receive the same one, straight from the store: it is neither forked
/// nor written to a file. Only what has not announced that it reads snapshots of unknown length, tools for example, gets one that was
/// written to a file first.
/// </summary>
internal sealed class FullSyncs(
    EffectFeed effects,
    ReplicaLinks replicas,
    ServerPersistence persistence,
    ServerConfiguration configuration,
    ServerIdentity identity,
    ILogger log
)
{
    private const long MsPerSecond = 1000;

    private int _isRunning;

    /// <summary>The present transfer, or null.</summary>
    public SnapshotTransfer? Transfer { get; private set; }

    /// <summary>Begins a snapshot if one is due.</summary>
    public void Tick(long nowMs)
    {
        List<ReplicaLink> waiting = Waiting();
        if (waiting.Count == 0 || Volatile.Read(ref _isRunning) != 0 || persistence.IsLoading)
            return;
        GarnetOptions options = configuration.Current;
        long waited = nowMs - waiting.Min(static link => link.WaitingSinceMs);
        int most = options.DisklessSyncMaxReplicas;
        bool isDue = waited >= options.DisklessSyncDelaySeconds * MsPerSecond || (most > 0 && waiting.Count >= most);
        if (!isDue || persistence.Snapshots.Saver.Progress is not null || Interlocked.Exchange(ref _isRunning, 1) != 0)
            return;
        // It waits for the barrier.
        ThreadPool.QueueUserWorkItem(static syncs => syncs.Run(), this, preferLocal: false);
    }

    private List<ReplicaLink> Waiting() => [.. replicas.All.Where(static link => link.State == ReplicaLinkState.WaitingForSnapshot)];

    private void Run()
    {
        List<ReplicaLink> waiting = Waiting();
        if (waiting.Count == 0)
        {
            Volatile.Write(ref _isRunning, 0);
            return;
        }

        // One kind for all: the rest of them get the next snapshot.
        SnapshotKind kind = waiting[0].Properties.SnapshotKind;
        waiting.RemoveAll(link => link.Properties.SnapshotKind != kind);
        if (kind.HasEndMark)
            Send(waiting, kind);
        else
            MakeAndSend(waiting, kind);
    }

    private void Send(List<ReplicaLink> waiting, SnapshotKind kind)
    {
        string mark = ServerIdentity.NewId();
        SnapshotTransfer transfer = new(configuration.Current.RdbChecksum, Encoding.ASCII.GetBytes(mark));
        // Before the save, which may end at any time after it has begun.
        Transfer = transfer;
        TryStart(
            "",
            kind,
            transfer.Open,
            () => Begin(waiting, transfer, mark),
            outcome =>
            {
                // Those that have it in memory keep it.
                Report(outcome);
                End(transfer.IsComplete ? [] : waiting);
            }
        );
    }

    // The file is deleted when it has been sent, or the process ends.
    private void MakeAndSend(List<ReplicaLink> waiting, SnapshotKind kind)
    {
        string path = Path.Combine(configuration.Current.Dir, $"temp-{Environment.ProcessId}-{identity.RunId[..8]}.repl.rdb");
        TryStart(
            path,
            kind,
            null,
            () => Begin(waiting, transfer: null, ""),
            outcome =>
            {
                Report(outcome);
                if (outcome.Result == SaveResult.Success)
                    new Thread(() => Copy(path, waiting)) { IsBackground = true, Name = "garnet-sync-file" }.Start();
                else
                    End(waiting);
            }
        );
    }

    private void TryStart(
        string path,
        SnapshotKind kind,
        Func<Func<double>, ISnapshotTarget>? target,
        Func<IReadOnlyList<KeyValuePair<string, string>>> begin,
        Action<SaveOutcome> end
    )
    {
        GarnetOptions options = configuration.Current;
        using StoreSession session = persistence.Data.Store.OpenSession();
        SaveRequest request = new()
        {
            Path = path,
            Compress = options.RdbCompression,
            HasChecksum = options.RdbChecksum,
            Version = kind.IsValkeyFormat ? RdbWriter.FirstValkeyVersion : RdbWriter.UsualVersion,
            HasData = kind.HasData,
            Beside = kind.HasFunctions ? persistence.Data.Functions : null,
            OpenTarget = target,
            Tag = this,
            AtFlip = begin,
        };
        if (!persistence.Snapshots.Saver.TryStart(session, request, out Task<SaveOutcome> done))
        {
            End([]);
            return;
        }

        log.LogInformation("A snapshot for replicas is being made");
        done.ContinueWith(task => end(task.Result), TaskScheduler.Default);
    }

    private void Copy(string path, List<ReplicaLink> links)
    {
        try
        {
            using FileStream file = new(
                path,
                new FileStreamOptions
                {
                    Access = FileAccess.Read,
                    BufferSize = 0,
                    Options = FileOptions.DeleteOnClose | FileOptions.SequentialScan,
                }
            );
            SnapshotTransfer transfer = new(file.Length);
            Transfer = transfer;
            foreach (ReplicaLink link in links)
                link.BeginPayload(transfer, file.Length);
            while (file.Read(transfer.GetSpan()) is > 0 and int read)
            {
                transfer.Advance(read);
                transfer.WritePiece();
            }

            End([]);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            log.LogError("The snapshot for replicas could not be sent: {Error}", e.Message);
            End(links);
        }
    }

    private IReadOnlyList<KeyValuePair<string, string>> Begin(List<ReplicaLink> waiting, SnapshotTransfer? transfer, string mark)
    {
        // What follows the snapshot begins with a SELECT.
        effects.Stream.ForgetDatabase();
        long position = effects.Stream.Position;
        foreach (ReplicaLink link in waiting)
            link.BeginSnapshot(transfer, position, mark);
        return effects.SnapshotProperties();
    }

    private void End(List<ReplicaLink> failed)
    {
        Transfer = null;
        foreach (ReplicaLink link in failed)
            link.FailSnapshot();
        Volatile.Write(ref _isRunning, 0);
    }

    private void Report(SaveOutcome outcome)
    {
        if (outcome.Result == SaveResult.Success)
        {
            log.LogInformation(
                "Snapshot for replicas written: {Keys} keys, {Bytes} bytes in {Seconds} s",
                outcome.Keys,
                outcome.Bytes,
                outcome.Duration.TotalSeconds.ToString("F1", CultureInfo.InvariantCulture)
            );
        }
        else
        {
            log.LogError("The snapshot for replicas was not completed: {Error}", outcome.Error ?? "it was cancelled");
        }
    }
}
