// How the entries of a tree are ordered. Implementations are immutable structs, so that each order gets code of its own.
namespace Garnet.Store.Collections.Trees;

/// <summary>An order of entries. Entries are opaque bytes to the tree; the order knows where their key lies.</summary>
internal interface ITreeOrder
{
    /// <summary>Words of a separator in inner nodes: 0 for trees ordered by position alone.</summary>
    static abstract int Words { get; }

    /// <summary>
    /// The layout of leaves. Tagged ones keep a byte of each entry's first word, so that it is found without looking at others; the first
    /// words must be spread evenly.
    /// </summary>
    static abstract LeafKind Leaf { get; }

    /// <summary>True when equal words mean equal keys.</summary>
    static abstract bool IsExact { get; }

    /// <summary>Where a key stands beside an entry's: negative before it, zero when equal, positive behind it.</summary>
    int Compare(in TreeKey key, ReadOnlySpan<byte> entry);

    /// <summary>The words of a key.</summary>
    TreeWords Shorten(in TreeKey key);

    /// <summary>The words of an entry's key.</summary>
    TreeWords ShortenEntry(ReadOnlySpan<byte> entry);

    /// <summary>The first word of an entry's key.</summary>
    ulong FirstWord(ReadOnlySpan<byte> entry);
}
