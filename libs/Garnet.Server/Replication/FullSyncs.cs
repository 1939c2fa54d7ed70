// Snapshots for replicas. The clock asks whether one is due; each runs on threads of its own, one at a time.
using System.Globalization;
using System.Text;
using Garnet.Persistence.Rdb;
using Garnet.Persistence.Snapshots;
using Garnet.Server.Sessions;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Replication;

/// <summary>
/// Replicas that wait for a snapshot wait a little for others, and then receive the same one, straight from the store: it is neither
/// forked nor written to a file.
/// </summary>
internal sealed class FullSyncs(RespServer server)
{
    private const long MsPerSecond = 1000;

    private int _isRunning;

    /// <summary>The present transfer, or null.</summary>
    public SnapshotTransfer? Transfer { get; private set; }

    /// <summary>Begins a snapshot if one is due.</summary>
    public void Tick(long nowMs)
    {
        List<ReplicaLink> waiting = Waiting();
        if (waiting.Count == 0 || Volatile.Read(ref _isRunning) != 0 || server.Persistence.IsLoading)
            return;
        GarnetOptions options = server.Configuration.Current;
        long waited = nowMs - waiting.Min(static link => link.WaitingSinceMs);
        int most = options.DisklessSyncMaxReplicas;
        bool isDue = waited >= options.DisklessSyncDelaySeconds * MsPerSecond || (most > 0 && waiting.Count >= most);
        if (!isDue || server.Persistence.Snapshots.Saver.Progress is not null || Interlocked.Exchange(ref _isRunning, 1) != 0)
            return;
        // It waits for the barrier.
        ThreadPool.QueueUserWorkItem(static syncs => syncs.Run(), this, preferLocal: false);
    }

    private List<ReplicaLink> Waiting() =>
        [.. server.Replication.Replicas.All.Where(static link => link.State == ReplicaLinkState.WaitingForSnapshot)];

    private void Run()
    {
        List<ReplicaLink> waiting = Waiting();
        if (waiting.Count == 0)
        {
            Volatile.Write(ref _isRunning, 0);
            return;
        }

        // One format for all: the rest of them get the next snapshot.
        bool isOwn = waiting[0].Properties.ReadsValkeyFormat;
        waiting.RemoveAll(link => link.Properties.ReadsValkeyFormat != isOwn);
        string mark = ServerIdentity.NewId();
        GarnetOptions options = server.Configuration.Current;
        SnapshotTransfer transfer = new(options.RdbChecksum, Encoding.ASCII.GetBytes(mark));
        using StoreSession session = server.Store.OpenSession();
        SaveRequest request = new()
        {
            Path = "",
            Compress = options.RdbCompression,
            HasChecksum = options.RdbChecksum,
            Version = isOwn ? RdbWriter.FirstValkeyVersion : RdbWriter.UsualVersion,
            OpenTarget = transfer.Open,
            Tag = this,
            AtFlip = () => Begin(waiting, transfer, mark),
        };
        // Before the save, which may end at any time after it has begun.
        Transfer = transfer;
        if (!server.Persistence.Snapshots.Saver.TryStart(session, request, out Task<SaveOutcome> done))
        {
            Transfer = null;
            Volatile.Write(ref _isRunning, 0);
            return;
        }

        server.Log.LogInformation("Sending a snapshot to {Count} replicas", waiting.Count);
        done.ContinueWith(task => End(task.Result, waiting), TaskScheduler.Default);
    }

    private IReadOnlyList<KeyValuePair<string, string>> Begin(List<ReplicaLink> waiting, SnapshotTransfer transfer, string mark)
    {
        // What follows the snapshot begins with a SELECT.
        server.Replication.Effects.Stream.ForgetDatabase();
        long position = server.Replication.Effects.Stream.Position;
        foreach (ReplicaLink link in waiting)
            link.BeginSnapshot(transfer, position, mark);
        return server.Replication.SnapshotProperties();
    }

    private void End(SaveOutcome outcome, List<ReplicaLink> links)
    {
        Transfer = null;
        foreach (ReplicaLink link in links)
            link.FailSnapshot();
        if (outcome.Result == SaveResult.Success)
        {
            server.Log.LogInformation(
                "Snapshot for replicas written: {Keys} keys, {Bytes} bytes in {Seconds} s",
                outcome.Keys,
                outcome.Bytes,
                outcome.Duration.TotalSeconds.ToString("F1", CultureInfo.InvariantCulture)
            );
        }
        else
        {
            server.Log.LogError("The snapshot for replicas was not completed: {Error}", outcome.Error ?? "it was cancelled");
        }

        Volatile.Write(ref _isRunning, 0);
    }
}
