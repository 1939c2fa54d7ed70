// The layouts of leaves.
namespace Garnet.Store.Collections.Trees;

/// <summary>How the leaves of an order find their entries.</summary>
internal enum LeafKind
{
    /// <summary>One offset per entry.</summary>
    Plain,

    /// <summary>A tag byte and an offset per entry.</summary>
    Tagged,

    /// <summary>Entries are element codes, which contain their length: one offset per run of entries (<see cref="CodedLeaf"/>).</summary>
    Coded,
}
