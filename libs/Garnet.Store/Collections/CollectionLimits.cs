// Thresholds between the encodings reported by OBJECT ENCODING. Immutable; the store is given a new instance when a setting changes.
using Garnet.Store.Collections.Lists;

namespace Garnet.Store.Collections;

/// <summary>Valkey's settings of the same names. They decide which encoding a collection reports, but hardly how it is stored.</summary>
internal sealed class CollectionLimits
{
    /// <summary>Valkey's defaults.</summary>
    public static readonly CollectionLimits Default = new();

    /// <summary><c>hash-max-listpack-entries</c>: fields.</summary>
    public long HashMaxListPackEntries { get; init; } = 512;

    /// <summary><c>hash-max-listpack-value</c>: bytes of a field or value.</summary>
    public long HashMaxListPackValue { get; init; } = 64;

    /// <summary><c>list-max-listpack-size</c>: number of elements when positive; -1 to -5 mean 4, 8, 16, 32 and 64 KiB.</summary>
    public int ListMaxListPackSize { get; init; } = -2;

    /// <summary><c>set-max-intset-entries</c>: members.</summary>
    public long SetMaxIntSetEntries { get; init; } = 512;

    /// <summary><c>set-max-listpack-entries</c>: members.</summary>
    public long SetMaxListPackEntries { get; init; } = 128;

    /// <summary><c>set-max-listpack-value</c>: bytes of a member.</summary>
    public long SetMaxListPackValue { get; init; } = 64;

    /// <summary><c>zset-max-listpack-entries</c>: members.</summary>
    public long SortedSetMaxListPackEntries { get; init; } = 128;

    /// <summary><c>zset-max-listpack-value</c>: bytes of a member.</summary>
    public long SortedSetMaxListPackValue { get; init; } = 64;

    /// <summary><c>stream-node-max-bytes</c>: 0 for no limit.</summary>
    public long StreamNodeMaxBytes { get; init; } = 4096;

    /// <summary><c>stream-node-max-entries</c>: 0 for no limit.</summary>
    public long StreamNodeMaxEntries { get; init; } = 100;

    /// <summary><c>list-compress-depth</c>: nodes at each end that Valkey would leave uncompressed; nothing is compressed here.</summary>
    public int ListCompressDepth { get; init; }

    /// <summary>The limit on one listpack or one node of a list.</summary>
    internal ListNodeLimit ListNode => new(ListMaxListPackSize);

    /// <summary>The form in which a list records the setting when its encoding becomes quicklist.</summary>
    internal short ListSetting => ListNodeLimit.Remembered(ListMaxListPackSize);

    /// <summary>Whether Valkey would compress inner nodes of lists.</summary>
    internal bool IsListCompressed => ListCompressDepth != 0;
}
