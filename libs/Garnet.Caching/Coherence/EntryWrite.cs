// An entry to be set as part of a change. A plain value.
namespace Garnet.Caching.Coherence;

/// <summary>The key, its bytes, how long they live, and how long a sliding expiry may be renewed (0 when there is no limit).</summary>
internal readonly record struct EntryWrite(string Key, ReadOnlyMemory<byte> Bytes, long LivesMs, long LimitMs);
