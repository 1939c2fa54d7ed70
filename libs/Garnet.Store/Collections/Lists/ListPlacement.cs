// Where a new element of a list goes, which decides in what node of Valkey's it would lie.
namespace Garnet.Store.Collections.Lists;

/// <summary>A place, and whether the nodes there are as they come or given.</summary>
internal enum ListPlacement
{
    /// <summary>Before the first.</summary>
    First,

    /// <summary>Behind the last.</summary>
    Last,

    /// <summary>Before the one with an index.</summary>
    Before,

    /// <summary>Behind the one with an index.</summary>
    Behind,

    /// <summary>Behind the last, in its node whatever that holds.</summary>
    LastInNode,

    /// <summary>Behind the last, as the first of a node.</summary>
    LastAsNode,

    /// <summary>Behind the last, in a node by itself.</summary>
    LastAsPlain,
}
