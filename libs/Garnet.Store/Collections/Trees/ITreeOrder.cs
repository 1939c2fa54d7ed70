// How the entries of a tree are ordered. Implementations are immutable structs, so that the JIT specializes the code for each order.
namespace Garnet.Store.Collections.Trees;

/// <summary>An order of entries. Entries are opaque bytes to the tree; the order knows how to find their key.</summary>
internal interface ITreeOrder
{
    /// <summary>Number of words in a separator of inner nodes: 0 for trees ordered by position alone.</summary>
    static abstract int Words { get; }

    /// <summary>
    /// The layout of leaves. Tagged ones keep one byte of each entry's first word, so that an entry is found without reading others; the
    /// first words must be evenly distributed.
    /// </summary>
    static abstract LeafKind Leaf { get; }

    /// <summary>True when equal words mean equal keys.</summary>
    static abstract bool IsExact { get; }

    /// <summary>Compares a key to an entry's: negative if it sorts before, zero if equal, positive if after.</summary>
    int Compare(in TreeKey key, ReadOnlySpan<byte> entry);

    /// <summary>The words of a key.</summary>
    TreeWords Shorten(in TreeKey key);

    /// <summary>The words of an entry's key.</summary>
    TreeWords ShortenEntry(ReadOnlySpan<byte> entry);

    /// <summary>The first word of an entry's key.</summary>
    ulong FirstWord(ReadOnlySpan<byte> entry);
}
