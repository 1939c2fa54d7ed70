// Compares byte arrays by content. Stateless.
namespace Garnet.Store.Tests.Collections;

/// <summary>Order and equality of byte strings.</summary>
internal sealed class ByteArrayComparer : IComparer<byte[]>, IEqualityComparer<byte[]>
{
    public static readonly ByteArrayComparer Instance = new();

    public int Compare(byte[]? x, byte[]? y) => x.AsSpan().SequenceCompareTo(y);

    public bool Equals(byte[]? x, byte[]? y) => x.AsSpan().SequenceEqual(y);

    public int GetHashCode(byte[] obj)
    {
        var hash = default(HashCode);
        hash.AddBytes(obj);
        return hash.ToHashCode();
    }
}
