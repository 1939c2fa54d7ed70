// A changed key that some prefix matches. Belongs to the thread that gathers it.
using Garnet.Engine.Execution;

namespace Garnet.Server.Tracking;

/// <summary>Ordered by key, then by time.</summary>
/// <param name="Key">The key.</param>
/// <param name="By">The client that changed it; null for none.</param>
/// <param name="Order">Its place in the order of the changes.</param>
internal readonly record struct ChangedKey(byte[] Key, ClientSession? By, int Order) : IComparable<ChangedKey>
{
    /// <inheritdoc/>
    public int CompareTo(ChangedKey other)
    {
        int order = PrefixTable.Order.Compare(Key, other.Key);
        return order != 0 ? order : Order.CompareTo(other.Order);
    }
}
