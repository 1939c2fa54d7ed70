// The options of collections: limits of packed encodings, streams and HyperLogLogs. Stateless; any thread.
namespace Garnet.Server.Configuration;

/// <summary>The rows of <see cref="OptionTable"/> for the storage of collections.</summary>
internal static class CollectionOptions
{
    public static OptionDescriptor[] All() =>
        [
            new IntegerOption(
                "hash-max-listpack-entries",
                static o => o.HashMaxListPackEntries,
                static (o, v) => o.HashMaxListPackEntries = v,
                0,
                long.MaxValue
            )
            {
                Group = OptionGroup.Data,
                Help = "Maximum number of fields of a hash stored as a listpack.",
                Mutability = Mutability.Runtime,
                Aliases = ["hash-max-ziplist-entries"],
            },
            new MemoryOption(
                "hash-max-listpack-value",
                static o => o.HashMaxListPackValueBytes,
                static (o, v) => o.HashMaxListPackValueBytes = v,
                0,
                long.MaxValue
            )
            {
                Group = OptionGroup.Data,
                Help = "Maximum field or value length of a hash stored as a listpack.",
                Mutability = Mutability.Runtime,
                Aliases = ["hash-max-ziplist-value"],
            },
            new IntegerOption(
                "list-max-listpack-size",
                static o => o.ListMaxListPackSize,
                static (o, v) => o.ListMaxListPackSize = (int)v,
                int.MinValue,
                int.MaxValue
            )
            {
                Group = OptionGroup.Data,
                Help = "Maximum number of elements of a list stored as a listpack; -1 to -5 mean 4 to 64 KiB.",
                Mutability = Mutability.Runtime,
                Aliases = ["list-max-ziplist-size"],
            },
            new IntegerOption(
                "set-max-intset-entries",
                static o => o.SetMaxIntSetEntries,
                static (o, v) => o.SetMaxIntSetEntries = v,
                0,
                long.MaxValue
            )
            {
                Group = OptionGroup.Data,
                Help = "Maximum number of members of a set of integers stored as an intset.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "set-max-listpack-entries",
                static o => o.SetMaxListPackEntries,
                static (o, v) => o.SetMaxListPackEntries = v,
                0,
                long.MaxValue
            )
            {
                Group = OptionGroup.Data,
                Help = "Maximum number of members of a set stored as a listpack.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "set-max-listpack-value",
                static o => o.SetMaxListPackValueBytes,
                static (o, v) => o.SetMaxListPackValueBytes = v,
                0,
                long.MaxValue
            )
            {
                Group = OptionGroup.Data,
                Help = "Maximum member length of a set stored as a listpack.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "zset-max-listpack-entries",
                static o => o.SortedSetMaxListPackEntries,
                static (o, v) => o.SortedSetMaxListPackEntries = v,
                0,
                long.MaxValue
            )
            {
                Group = OptionGroup.Data,
                Help = "Maximum number of members of a sorted set stored as a listpack.",
                Mutability = Mutability.Runtime,
                Aliases = ["zset-max-ziplist-entries"],
            },
            new MemoryOption(
                "zset-max-listpack-value",
                static o => o.SortedSetMaxListPackValueBytes,
                static (o, v) => o.SortedSetMaxListPackValueBytes = v,
                0,
                long.MaxValue
            )
            {
                Group = OptionGroup.Data,
                Help = "Maximum member length of a sorted set stored as a listpack.",
                Mutability = Mutability.Runtime,
                Aliases = ["zset-max-ziplist-value"],
            },
            new MemoryOption(
                "stream-node-max-bytes",
                static o => o.StreamNodeMaxBytes,
                static (o, v) => o.StreamNodeMaxBytes = v,
                0,
                long.MaxValue
            )
            {
                Group = OptionGroup.Data,
                Help = "Maximum size of a stream node in bytes; 0 means no limit.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "stream-node-max-entries",
                static o => o.StreamNodeMaxEntries,
                static (o, v) => o.StreamNodeMaxEntries = v,
                0,
                long.MaxValue
            )
            {
                Group = OptionGroup.Data,
                Help = "Maximum number of entries of a stream node; 0 means no limit.",
                Mutability = Mutability.Runtime,
            },
        ];
}
