// Continues the append-only log of files that were loaded. One thread at a time: the start, then the queue of changes.
using Garnet.Persistence.AppendLog;
using Garnet.Server.Persistence.Aof;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Persistence;

/// <summary>Effects are appended to the files, at once or, if the disk has no space for them, as soon as it has.</summary>
internal sealed class LogContinuation(LogOpener opener, LogRewrite rewrite, HybridLogStore store, ILogger log)
{
    private readonly LogPresence _present = opener.Present;

    /// <summary>Continues the log, or lets it await space.</summary>
    /// <param name="folder">The folder of the log.</param>
    /// <param name="start">Where it continues.</param>
    /// <param name="imported">The files of another server whose data is in the log, and that are not needed any more; else null.</param>
    /// <exception cref="AppendOnlyLogException">It cannot be written, for another reason than missing space.</exception>
    public void Begin(ILogFolder folder, LogStart start, AofFiles? imported)
    {
        try
        {
            TryContinue(folder, start, imported, changes: null);
        }
        catch (AppendOnlyLogException e) when (e.IsDiskFull)
        {
            rewrite.Statistics.OnTry();
            _present.AwaitSpace(new UnopenedLog(e.Problem, start, imported) { Changes = store.Statistics.Changes });
            log.LogError("{Problem}. The data is loaded and can be read; writes are rejected until there is space", e.Message);
        }
    }

    /// <summary>Continues the log that the disk had no space for, if it has now.</summary>
    public void ContinueIfSpace()
    {
        if (_present.Now.Unopened is not { } unopened)
            return;
        rewrite.Statistics.OnTry();
        try
        {
            if (TryContinue(opener.OpenFolder(), unopened.Start, unopened.Imported, unopened.Changes))
                return;
            // What a replica has received meanwhile is in no file, so the log cannot simply continue: it begins again with a snapshot.
            _present.Deny(unopened.Problem);
            rewrite.Run();
        }
        catch (AppendOnlyLogException e) when (e.IsDiskFull)
        {
            // Still no space: tried again.
        }
    }

    // False, with nothing logged, if changes were counted and there have been others since.
    private bool TryContinue(ILogFolder folder, LogStart start, AofFiles? imported, long? changes)
    {
        if (changes is not null && changes != store.Statistics.Changes)
            return false;
        AppendOnlyLog opened = opener.Open(folder, start);
        bool isAttached = false;
        using (StoreSession session = store.OpenSession())
        {
            session.RunExclusive(() =>
            {
                // Again, because the stream of a primary goes on while files are opened.
                if (changes is not null && changes != store.Statistics.Changes)
                    return;
                opener.Continue(opened);
                isAttached = true;
            });
        }

        if (!isAttached)
        {
            LogOpener.Close(opened);
            opened.Dispose();
            return false;
        }

        if (imported is not null)
            opener.MoveToBackup(imported, opened);
        log.LogInformation("Appending to {Folder}, generation {Generation}", folder.Path, start.Generation);
        return true;
    }
}
