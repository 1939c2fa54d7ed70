// Lists: entries by position alone. Immutable.
namespace Garnet.Store;

/// <summary>Trees of this order are never searched by key.</summary>
internal readonly struct PlaceOrder : ITreeOrder
{
    public static int Words => 0;

    public static bool HasTags => false;

    public static bool IsExact => true;

    public int Compare(in TreeKey key, ReadOnlySpan<byte> entry) => throw new NotSupportedException("A list has no keys.");

    public TreeWords Shorten(in TreeKey key) => throw new NotSupportedException("A list has no keys.");

    public TreeWords ShortenEntry(ReadOnlySpan<byte> entry) => default;

    public ulong FirstWord(ReadOnlySpan<byte> entry) => 0;
}
