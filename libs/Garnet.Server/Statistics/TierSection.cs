// INFO tier. Any thread.
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Garnet.Server.Tiering;
using Garnet.Store.Tiering;

namespace Garnet.Server.Statistics;

/// <summary>Values on disk; one line where all of them are in memory.</summary>
internal sealed class TierSection(ServerConfiguration configuration, ServerTier server) : InfoSection("tier", "Tier", isDefault: true)
{
    /// <inheritdoc/>
    public override void Write(InfoText text, CounterTotals totals)
    {
        text.Field("tier_enabled", server.Tier is null ? 0 : 1);
        if (server.Tier is not { } tier)
            return;
        TierStatistics done = tier.Statistics;
        text.Field("tier_state", StateOf(tier));
        text.Bytes("tier_max_disk", configuration.Current.MaxDiskBytes);
        text.Field("tier_used_disk", tier.Segments.UsedBytes);
        text.Field("tier_live_disk", tier.Segments.LiveBytes);
        text.Field("tier_memory", tier.BufferBytes);
        text.Field("tier_cold_keys", done.ColdKeys);
        text.Field("tier_moved_out", done.MovedOut);
        text.Field("tier_moved_in", done.MovedIn);
        text.Field("tier_kept", done.KeptInMemory);
        text.Field("tier_deleted", done.Deleted);
        text.Field("tier_reads", done.Reads);
        text.Field("tier_reads_waiting", tier.Loads.Running);
        text.Field("tier_reads_alone", done.ReadsUnderBarrier);
        text.Field("tier_read_errors", done.ReadErrors);
        text.Field("tier_write_errors", done.WriteErrors);
        text.Field("tier_last_error", done.LastError);
        text.Field("tier_written_bytes", done.WrittenBytes);
        text.Field("tier_write_amplification", done.PayloadBytes == 0 ? 0.0 : (double)done.WrittenBytes / done.PayloadBytes);
    }

    private static string StateOf(ColdTier tier) =>
        tier.IsFailing ? "failing"
        : tier.Segments.IsFull ? "full"
        : "ok";
}
