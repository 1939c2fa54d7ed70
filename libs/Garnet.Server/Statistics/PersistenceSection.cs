// INFO persistence. Stateless; any thread.
namespace Garnet.Server.Statistics;

/// <summary>This version keeps data in memory alone: nothing is being loaded, saved or logged.</summary>
internal static class PersistenceSection
{
    /// <summary>Writes the fields.</summary>
    public static void Write(InfoText text)
    {
        text.Field("loading", 0);
        text.Field("async_loading", 0);
        text.Field("rdb_bgsave_in_progress", 0);
        text.Field("aof_enabled", 0);
        text.Field("aof_rewrite_in_progress", 0);
        text.Field("aof_rewrite_scheduled", 0);
    }
}
