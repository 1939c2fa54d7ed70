// Compares byte arrays by content. Stateless.
using Xunit;

namespace Garnet.Store.Tests.Collections;

/// <summary>Order and equality of byte strings.</summary>
internal sealed class ByteArrayComparer : IComparer<byte[]>, IEqualityComparer<byte[]>
{
    public static readonly ByteArrayComparer Instance = new();

    /// <summary>Compares sequences; xunit's own comparison, which takes a hundred times as long, only shows a difference.</summary>
    public static void AssertEqual(IEnumerable<byte[]> expected, IEnumerable<byte[]> actual)
    {
        if (!expected.SequenceEqual(actual, Instance))
            Assert.Equal(expected, actual, Instance);
    }

    public int Compare(byte[]? x, byte[]? y) => x.AsSpan().SequenceCompareTo(y);

    public bool Equals(byte[]? x, byte[]? y) => x.AsSpan().SequenceEqual(y);

    public int GetHashCode(byte[] obj)
    {
        var hash = default(HashCode);
        hash.AddBytes(obj);
        return hash.ToHashCode();
    }
}
