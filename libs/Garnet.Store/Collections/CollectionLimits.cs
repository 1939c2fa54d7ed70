// Thresholds between the encodings that OBJECT ENCODING names. Immutable; a new one is assigned to the store when a setting changes.
using Garnet.Store.Collections.Lists;

namespace Garnet.Store.Collections;

/// <summary>Valkey's settings of the same names; they decide what encoding a collection reports, hardly how it is kept.</summary>
public sealed class CollectionLimits
{
    /// <summary>Valkey's defaults.</summary>
    public static readonly CollectionLimits Default = new();

    /// <summary><c>hash-max-listpack-entries</c>: fields.</summary>
    public long HashMaxListPackEntries { get; init; } = 512;

    /// <summary><c>hash-max-listpack-value</c>: bytes of a field or value.</summary>
    public long HashMaxListPackValue { get; init; } = 64;

    /// <summary><c>list-max-listpack-size</c>: elements when positive; -1 to -5 stand for 4, 8, 16, 32 and 64 KiB.</summary>
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

    /// <summary>What one listpack or node of a list may hold.</summary>
    internal ListNodeLimit ListNode => new(ListMaxListPackSize);

    /// <summary>What a list remembers of the setting when it begins to report quicklist.</summary>
    internal short ListSetting => ListNodeLimit.Remembered(ListMaxListPackSize);

    /// <summary>Whether inner nodes of lists would be compressed.</summary>
    internal bool IsListCompressed => ListCompressDepth != 0;
}
