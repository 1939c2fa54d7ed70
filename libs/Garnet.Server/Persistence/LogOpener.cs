// Opens logs, and makes the stream of effects pass through one of them. One thread at a time; ReplyGate: any thread.
using Garnet.Persistence.AppendLog;
using Garnet.Server.Configuration;
using Garnet.Server.Effects;
using Garnet.Server.Persistence.Aof;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Persistence;

/// <summary>The log's folder, the lock on its files, and which log is attached.</summary>
internal sealed class LogOpener(
    ServerConfiguration configuration,
    HybridLogStore store,
    EffectFeed effects,
    DataLocks locks,
    LogPresence present,
    Func<string, ILogFolder> openFolder,
    ILogger log
)
{
    private static readonly TimeSpan ClosePatience = TimeSpan.FromSeconds(10);

    private IDisposable? _lease;

    /// <summary>The log if replies have to wait for it; null otherwise.</summary>
    public AppendOnlyLog? ReplyGate { get; private set; }

    /// <summary>What there is of the log.</summary>
    public LogPresence Present => present;

    private GarnetOptions Options => configuration.Current;

    /// <summary>The folder that the options name.</summary>
    public ILogFolder OpenFolder() => openFolder(Path.Combine(Options.Dir, Options.AppendDirName));

    /// <summary>Locks the files for writing, unless they are.</summary>
    public void TakeFiles() => _lease ??= locks.TakeLog(Options);

    /// <summary>Another server may write the files.</summary>
    public void ReleaseFiles() => Interlocked.Exchange(ref _lease, null)?.Dispose();

    /// <summary>Opens a log and starts its threads; nothing is logged yet.</summary>
    /// <exception cref="AppendOnlyLogException">Its file cannot be created.</exception>
    public AppendOnlyLog Open(ILogFolder folder, LogStart start)
    {
        AppendOnlyLog opened = new(
            folder,
            start,
            effects.Stream,
            new AppendOnlyLogOptions
            {
                Prefix = Options.AppendFileName,
                Fsync = Options.AppendFsync,
                Report = text => log.LogWarning("{Report}", text),
            }
        );
        try
        {
            opened.Start();
            return opened;
        }
        catch (AppendOnlyLogException)
        {
            opened.Dispose();
            throw;
        }
    }

    /// <summary>As <see cref="Open"/> for a log that begins with a base still to be written, in a generation after all others.</summary>
    public AppendOnlyLog OpenFresh(ILogFolder folder)
    {
        TakeFiles();
        int last = Math.Max(AppendLogRecovery.HighestGeneration(folder, Options.AppendFileName), present.Log?.Generation ?? 0);
        return Open(folder, LogStart.Fresh(last + 1, needsBase: true));
    }

    /// <summary>Effects are logged from here on, by a log that has no base yet. Under the barrier.</summary>
    public void Begin(AppendOnlyLog fresh)
    {
        present.Begin(fresh);
        Follow(fresh);
    }

    /// <summary>Effects are logged from here on, after those of the files. Under the barrier.</summary>
    public void Continue(AppendOnlyLog opened)
    {
        present.Continue(opened);
        Follow(opened);
    }

    /// <summary>Nothing is logged any more; the files are kept.</summary>
    public void TurnOff()
    {
        if (present.Log is not { } closing)
        {
            present.TurnOff();
            ReleaseFiles();
            return;
        }

        using (StoreSession session = store.OpenSession())
        {
            session.RunExclusive(() =>
            {
                present.TurnOff();
                Follow(null);
            });
        }

        Close(closing);
        closing.Dispose();
        ReleaseFiles();
        log.LogInformation("The append-only log is off; its files are kept");
    }

    /// <summary>Writes and syncs what was appended, as far as the disk responds.</summary>
    public static void Close(AppendOnlyLog closing) => closing.Close(ClosePatience);

    /// <summary>The options have changed.</summary>
    public void ApplyFsync(GarnetOptions options)
    {
        if (present.Log is { } open)
            open.Fsync = options.AppendFsync;
        ReplyGate = options.AppendFsync == AppendFsync.Always ? present.Log : null;
    }

    /// <summary>Moves another server's files away, whose data a log has now.</summary>
    public void MoveToBackup(AofFiles theirs, AppendOnlyLog holder)
    {
        try
        {
            string target = theirs.MoveToBackup();
            holder.ClearImportedFrom();
            log.LogInformation("The append-only files that this server's log has replaced are kept in {Folder}", target);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            log.LogWarning(
                "{File} and its related files cannot be moved away: {Problem}. Their data is in this server's log; the next start tries again",
                theirs.Marker,
                e.Message
            );
        }
    }

    private void Follow(AppendOnlyLog? attached)
    {
        attached?.Attach();
        effects.IsLogging = attached is not null;
        ApplyFsync(Options);
    }
}
