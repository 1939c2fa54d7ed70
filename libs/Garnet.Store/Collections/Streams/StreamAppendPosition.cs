// Where a stream's new entry goes. Immutable.
namespace Garnet.Store.Collections.Streams;

/// <summary>The node that an entry is appended to.</summary>
internal enum StreamAppendPosition
{
    /// <summary>The last one while it has room by the limits, else a new one.</summary>
    ByLimits,

    /// <summary>A new one.</summary>
    NewNode,

    /// <summary>The last one, whatever the limits are.</summary>
    LastNode,
}
