// INFO keyspace. Any thread.
using Garnet.Server.Basics;
using Garnet.Store;

namespace Garnet.Server.Statistics;

/// <summary>Key counts of the databases that have keys.</summary>
internal sealed class KeyspaceSection(HybridLogStore store) : InfoSection("keyspace", "Keyspace", isDefault: true)
{
    /// <inheritdoc/>
    public override void Write(InfoText text, CounterTotals totals)
    {
        for (int database = 0; database < store.Databases.Count; database++)
        {
            long keys = store.Databases.KeyCount(database);
            if (keys > 0)
            {
                text.Field(
                    $"db{database}",
                    $"keys={keys},expires={store.Databases.ExpiringKeyCount(database)},avg_ttl={store.Databases.MeanTimeToLiveMs(database)},keys_with_volatile_items={store.Databases.VolatileHashCount(database)}"
                );
            }
        }
    }
}
