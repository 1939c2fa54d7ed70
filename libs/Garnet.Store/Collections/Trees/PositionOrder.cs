// Lists: entries by position alone. Immutable.
namespace Garnet.Store.Collections.Trees;

/// <summary>Trees of this order are never searched by key. An entry is one element code.</summary>
internal readonly struct PositionOrder : ITreeOrder
{
    public static int Words => 0;

    public static LeafKind Leaf => LeafKind.Coded;

    public static bool IsExact => true;

    public int Compare(in TreeKey key, ReadOnlySpan<byte> entry) => throw new NotSupportedException("A list has no keys.");

    public TreeWords Shorten(in TreeKey key) => throw new NotSupportedException("A list has no keys.");

    public TreeWords ShortenEntry(ReadOnlySpan<byte> entry) => default;

    public ulong FirstWord(ReadOnlySpan<byte> entry) => 0;
}
