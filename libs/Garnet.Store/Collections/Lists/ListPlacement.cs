// Where a new element of a list is inserted, which decides the node of Valkey's quicklist it belongs to.
namespace Garnet.Store.Collections.Lists;

/// <summary>A position, and whether the node there follows from the limits or is prescribed.</summary>
internal enum ListPlacement
{
    /// <summary>Before the first element.</summary>
    First,

    /// <summary>After the last element.</summary>
    Last,

    /// <summary>Before the element at an index.</summary>
    Before,

    /// <summary>After the element at an index.</summary>
    Behind,

    /// <summary>After the last element and in its node, regardless of the limit.</summary>
    LastInNode,

    /// <summary>After the last element, as the first of a new node.</summary>
    LastAsNode,

    /// <summary>After the last element, in a plain node of its own.</summary>
    LastAsPlain,
}
