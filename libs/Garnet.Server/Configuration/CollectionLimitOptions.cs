// Passes the settings that determine the encodings of collections to the store. Change handlers run under the configuration's lock.
using System.Globalization;
using Garnet.Store;
using Garnet.Store.Collections;

namespace Garnet.Server.Configuration;

/// <summary>
/// Keeps a store's <see cref="CollectionLimits"/> in line with the options. A change applies to values that are changed afterwards, as in
/// Valkey.
/// </summary>
internal static class CollectionLimitOptions
{
    private const string CompressDepth = "list-compress-depth";
    private static readonly string[] Names =
    [
        "hash-max-listpack-entries",
        "hash-max-listpack-value",
        "list-max-listpack-size",
        CompressDepth,
        "set-max-intset-entries",
        "set-max-listpack-entries",
        "set-max-listpack-value",
        "zset-max-listpack-entries",
        "zset-max-listpack-value",
        "stream-node-max-bytes",
        "stream-node-max-entries",
    ];

    /// <summary>Applies the limits, now and after each change.</summary>
    public static void Bind(ServerConfiguration configuration, HybridLogStore store)
    {
        store.CollectionLimits = Of(configuration.Current);
        foreach (string name in Names)
            configuration.OnChange(name, changed => store.CollectionLimits = Of(changed));
    }

    private static CollectionLimits Of(GarnetOptions options) =>
        new()
        {
            HashMaxListPackEntries = options.HashMaxListPackEntries,
            HashMaxListPackValue = options.HashMaxListPackValueBytes,
            ListMaxListPackSize = options.ListMaxListPackSize,
            ListCompressDepth = int.Parse(OptionTable.Find(CompressDepth)!.Format(options), CultureInfo.InvariantCulture),
            SetMaxIntSetEntries = options.SetMaxIntSetEntries,
            SetMaxListPackEntries = options.SetMaxListPackEntries,
            SetMaxListPackValue = options.SetMaxListPackValueBytes,
            SortedSetMaxListPackEntries = options.SortedSetMaxListPackEntries,
            SortedSetMaxListPackValue = options.SortedSetMaxListPackValueBytes,
            StreamNodeMaxBytes = options.StreamNodeMaxBytes,
            StreamNodeMaxEntries = options.StreamNodeMaxEntries,
        };
}
