// The options of collections: up to where they are packed, and what streams and HyperLogLogs keep. Stateless; any thread.
namespace Garnet.Server.Configuration;

/// <summary>The rows of <see cref="OptionTable"/> that tell how collections are kept.</summary>
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
                Help = "Fields up to which a small hash is a listpack.",
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
                Help = "Longest field or value of a hash that is a listpack.",
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
                Help = "Elements up to which a list is a listpack; -1 to -5 stand for 4 to 64 KiB.",
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
                Help = "Members up to which a set of integers is an intset.",
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
                Help = "Members up to which a small set is a listpack.",
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
                Help = "Longest member of a set that is a listpack.",
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
                Help = "Members up to which a small sorted set is a listpack.",
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
                Help = "Longest member of a sorted set that is a listpack.",
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
                Help = "Bytes of a node of a stream; 0 means no limit.",
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
                Help = "Entries of a node of a stream; 0 means no limit.",
                Mutability = Mutability.Runtime,
            },
        ];
}
