// The fields of INFO persistence about the append-only log. Stateless; any thread.
using Garnet.Engine.Counters;
using Garnet.Persistence.AppendLog;
using Garnet.Server.Basics;
using Garnet.Server.Persistence;

namespace Garnet.Server.Statistics;

/// <summary>Valkey's fields about the log.</summary>
internal static class AppendOnlySection
{
    public static void Write(InfoText text, AppendOnly appendOnly, CounterBaseline since)
    {
        AppendOnlyLog? log = appendOnly.Log;
        RewriteStatistics rewrites = appendOnly.Rewrites;
        text.Field("aof_enabled", appendOnly.IsOn ? 1 : 0);
        text.Field("aof_rewrite_in_progress", appendOnly.IsRewriting ? 1 : 0);
        text.Field("aof_rewrite_scheduled", appendOnly.IsScheduled ? 1 : 0);
        text.Field("aof_last_rewrite_time_sec", rewrites.LastSeconds);
        text.Field("aof_current_rewrite_time_sec", appendOnly.CurrentRewriteSeconds);
        text.Field("aof_last_bgrewrite_status", rewrites.FailuresInARow == 0 ? "ok" : "err");
        text.Field("aof_rewrites", rewrites.Count - since.Rewrites);
        text.Field("aof_rewrites_consecutive_failures", rewrites.FailuresInARow);
        text.Field("aof_last_write_status", appendOnly.WriteProblem is null ? "ok" : "err");
        text.Field("aof_last_cow_size", rewrites.LastImageBytes);
        if (log is null)
            return;
        text.Field("aof_current_size", appendOnly.CurrentBytes);
        text.Field("aof_base_size", appendOnly.SizeAfterRewrite);
        text.Field("aof_pending_rewrite", appendOnly.IsScheduled ? 1 : 0);
        text.Field("aof_buffer_length", log.StagedBytes);
        text.Field("aof_pending_bio_fsync", log.IsSyncing ? 1 : 0);
        // A log that was switched on since then counts from zero.
        text.Field("aof_delayed_fsync", Math.Max(0, log.DelayedSyncs - since.DelayedSyncs));
    }
}
