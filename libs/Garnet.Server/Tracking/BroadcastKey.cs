// A changed key that a prefix matches. Belongs to the thread that gathers it.
using Garnet.Server.Sessions;

namespace Garnet.Server.Tracking;

/// <summary>Ordered by prefix, then by key, then by time.</summary>
/// <param name="prefix">The prefix.</param>
/// <param name="key">The key.</param>
/// <param name="by">The client that changed it; null for none.</param>
internal struct BroadcastKey(TrackedPrefix prefix, byte[] key, ClientSession? by) : IComparable<BroadcastKey>
{
    /// <summary>The prefix.</summary>
    public readonly TrackedPrefix Prefix => prefix;

    /// <summary>The key.</summary>
    public readonly byte[] Key => key;

    /// <summary>The client that changed it; null for none.</summary>
    public readonly ClientSession? By => by;

    /// <summary>Its place in the order of the changes.</summary>
    public int Order { get; set; }

    /// <inheritdoc/>
    public readonly int CompareTo(BroadcastKey other)
    {
        int order = PrefixTable.Order.Compare(prefix.Bytes, other.Prefix.Bytes);
        order = order != 0 ? order : PrefixTable.Order.Compare(key, other.Key);
        return order != 0 ? order : Order.CompareTo(other.Order);
    }
}
