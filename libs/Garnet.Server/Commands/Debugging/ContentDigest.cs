// A sum over data for DEBUG DIGEST: the same bytes as Valkey's for the same data. One command's thread.
using System.Buffers.Binary;

namespace Garnet.Server.Commands.Debugging;

/// <summary>160 bits that begin as zeros. It tells whether two data sets are equal; it is no defence against anybody.</summary>
internal sealed class ContentDigest
{
    private readonly byte[] _sum = new byte[Sha1.HashBytes];

    /// <summary>The sum so far.</summary>
    public ReadOnlySpan<byte> Sum => _sum;

    /// <summary>Begins again.</summary>
    public void Clear() => _sum.AsSpan().Clear();

    /// <summary>Takes bytes in whose place among others does not matter: sum = sum xor SHA1(bytes).</summary>
    public void Add(ReadOnlySpan<byte> bytes)
    {
        Span<byte> hash = stackalloc byte[Sha1.HashBytes];
        Sha1.Hash(bytes, hash);
        for (int i = 0; i < _sum.Length; i++)
            _sum[i] ^= hash[i];
    }

    /// <summary>Takes bytes in whose place matters: sum = SHA1(sum xor SHA1(bytes)).</summary>
    public void Append(ReadOnlySpan<byte> bytes)
    {
        Add(bytes);
        Span<byte> hash = stackalloc byte[Sha1.HashBytes];
        Sha1.Hash(_sum, hash);
        hash.CopyTo(_sum);
    }

    /// <summary>As <see cref="Append(ReadOnlySpan{byte})"/> for a number, as four bytes with the highest first.</summary>
    public void Append(int number)
    {
        Span<byte> bytes = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32BigEndian(bytes, number);
        Append(bytes);
    }
}
