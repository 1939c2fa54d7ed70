// INFO keyspace. Stateless; any thread.
using Garnet.Server.Sessions;

namespace Garnet.Server.Statistics;

/// <summary>Key counts of the databases that have keys.</summary>
internal static class KeyspaceSection
{
    public static void Write(InfoText text, RespServer server)
    {
        for (int database = 0; database < server.Store.Databases.Count; database++)
        {
            long keys = server.Store.Databases.KeyCount(database);
            if (keys > 0)
            {
                text.Field(
                    $"db{database}",
                    $"keys={keys},expires={server.Store.Databases.ExpiringKeyCount(database)},avg_ttl={server.Store.Databases.MeanTimeToLiveMs(database)},keys_with_volatile_items={server.Store.Databases.VolatileHashCount(database)}"
                );
            }
        }
    }
}
