// Chooses the node for a stream's new entry.
namespace Garnet.Store.Collections.Streams;

/// <summary>The node that an entry is appended to.</summary>
internal enum StreamAppendPosition
{
    /// <summary>The last one if the limits allow it, otherwise a new one.</summary>
    ByLimits,

    /// <summary>A new one.</summary>
    NewNode,

    /// <summary>The last one, regardless of the limits.</summary>
    LastNode,
}
