// INFO persistence. Any thread.
using Garnet.Engine.Clients;
using Garnet.Engine.Counters;
using Garnet.Persistence.Snapshots;
using Garnet.Server.Basics;
using Garnet.Server.Persistence;

namespace Garnet.Server.Statistics;

/// <summary>
/// Valkey's fields about loading and saving, and our own about the progress of a save. The memory of old images takes the place of Valkey's
/// copy-on-write memory.
/// </summary>
internal sealed class PersistenceSection(ServerPersistence persistence, ServerStatistics statistics, ServerClock clock)
    : InfoSection("persistence", "Persistence", isDefault: true)
{
    /// <inheritdoc/>
    public override void Write(InfoText text, CounterTotals totals)
    {
        SnapshotKeeper snapshots = persistence.Snapshots;
        LoadingStatus? loading = persistence.Loading;
        SaveProgress? progress = snapshots.Progress;
        text.Field("loading", loading is { IsAsync: false } ? 1 : 0);
        text.Field("async_loading", loading is { IsAsync: true } ? 1 : 0);
        text.Field("current_cow_peak", progress?.PeakImageBytes ?? 0);
        text.Field("current_cow_size", progress?.ImageBytes ?? 0);
        text.Field("current_cow_size_age", 0); // it is measured now
        text.Field("current_fork_perc", 100 * (progress is null ? 0 : ShareOf(progress)));
        text.Field("current_save_keys_processed", progress?.Keys ?? 0);
        text.Field("current_save_keys_total", progress?.KeysTotal ?? 0);
        WriteSnapshots(text, progress);
        AppendOnlySection.Write(text, persistence.AppendOnly, statistics.Baseline);
        text.Field("module_fork_in_progress", 0);
        text.Field("module_fork_last_cow_size", 0);
        if (loading is not null)
            WriteLoading(text, loading, clock.Time.GetUtcNow().ToUnixTimeSeconds());
    }

    private void WriteSnapshots(InfoText text, SaveProgress? progress)
    {
        SnapshotKeeper snapshots = persistence.Snapshots;
        SaveOutcome? last = snapshots.LastOutcome;
        double seconds = progress is null ? 0 : clock.Time.GetElapsedTime(progress.StartedTimestamp).TotalSeconds;
        text.Field("rdb_changes_since_last_save", snapshots.UnsavedChanges);
        text.Field("rdb_bgsave_in_progress", progress is null ? 0 : 1);
        text.Field("rdb_last_save_time", snapshots.LastSaveSeconds);
        text.Field("rdb_last_bgsave_status", snapshots.HasFailed ? "err" : "ok");
        text.Field("rdb_last_bgsave_time_sec", snapshots.LastDurationSeconds);
        text.Field("rdb_current_bgsave_time_sec", progress is null ? -1 : (long)seconds);
        text.Field("rdb_saves", snapshots.Saves - statistics.Baseline.Saves);
        text.Field("rdb_last_cow_size", last?.PeakImageBytes ?? 0);
        text.Field("rdb_last_load_keys_expired", persistence.Reader.LastLoad?.ExpiredKeys ?? 0);
        text.Field("rdb_last_load_keys_loaded", persistence.Reader.LastLoad?.Keys ?? 0);
        text.Field("rdb_bgsave_scheduled", snapshots.IsScheduled ? 1 : 0);
        text.Field("rdb_save_failures", snapshots.Failures);
        if (snapshots.LastError is { } error)
            text.Field("rdb_last_bgsave_error", error.ReplaceLineEndings(" "));
        if (last is not null)
        {
            text.Field("rdb_last_save_keys", last.Keys);
            text.Field("rdb_last_save_bytes", last.Bytes);
            text.Field("rdb_last_save_flip_usec", (long)last.FlipTime.TotalMicroseconds);
        }

        if (progress is null)
            return;
        double share = ShareOf(progress);
        text.Field("rdb_current_save_bytes", progress.Bytes);
        text.Field("rdb_current_save_bytes_per_sec", (long)(progress.Bytes / Math.Max(seconds, 0.001)));
        text.Field("rdb_current_save_pages_total", progress.PagesTotal);
        text.Field("rdb_current_save_pages_left", progress.PagesLeft);
        text.Field("rdb_current_save_eta_sec", share > 0 ? (long)Math.Ceiling(seconds * (1 - share) / share) : -1);
    }

    // Keys that expire meanwhile are skipped, so the share of keys alone might never reach 1.
    private static double ShareOf(SaveProgress progress) =>
        progress.KeysTotal == 0 ? 1 : Math.Min(1, Math.Max((double)progress.Keys / progress.KeysTotal, progress.WalkedShare));

    private static void WriteLoading(InfoText text, LoadingStatus loading, long nowSeconds)
    {
        long total = loading.TotalBytes;
        long loaded = total == 0 ? loading.LoadedBytes : Math.Min(loading.LoadedBytes, total);
        long elapsed = nowSeconds - loading.StartedSeconds;
        text.Field("loading_start_time", loading.StartedSeconds);
        text.Field("loading_total_bytes", total);
        text.Field("loading_loaded_bytes", loaded);
        text.Field("loading_loaded_perc", loading.Percent);
        text.Field("loading_eta_seconds", elapsed == 0 || total == 0 ? 1 : elapsed * (total - loaded) / (loaded + 1));
    }
}
