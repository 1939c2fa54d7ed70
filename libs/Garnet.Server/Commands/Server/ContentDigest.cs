// A sum over data for DEBUG DIGEST: the same bytes as Valkey's for the same data. One command's thread.
using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;

namespace Garnet.Server.Commands.Server;

/// <summary>160 bits that begin as zeros. It tells whether two data sets are equal; it is no defence against anybody.</summary>
internal sealed class ContentDigest
{
    private readonly byte[] sum = new byte[SHA1.HashSizeInBytes];

    /// <summary>The sum so far.</summary>
    public ReadOnlySpan<byte> Sum => sum;

    /// <summary>Begins again.</summary>
    public void Clear() => sum.AsSpan().Clear();

    /// <summary>Takes bytes in whose place among others does not matter: sum = sum xor SHA1(bytes).</summary>
    [SuppressMessage("Security", "CA5350:Do Not Use Weak Cryptographic Algorithms", Justification = "The sum is compared with that of other servers, which is defined so.")]
    public void Add(ReadOnlySpan<byte> bytes)
    {
        Span<byte> hash = stackalloc byte[SHA1.HashSizeInBytes];
        SHA1.HashData(bytes, hash);
        for (int i = 0; i < sum.Length; i++)
            sum[i] ^= hash[i];
    }

    /// <summary>Takes bytes in whose place matters: sum = SHA1(sum xor SHA1(bytes)).</summary>
    [SuppressMessage("Security", "CA5350:Do Not Use Weak Cryptographic Algorithms", Justification = "As above.")]
    public void Append(ReadOnlySpan<byte> bytes)
    {
        Add(bytes);
        Span<byte> hash = stackalloc byte[SHA1.HashSizeInBytes];
        SHA1.HashData(sum, hash);
        hash.CopyTo(sum);
    }

    /// <summary>As <see cref="Append(ReadOnlySpan{byte})"/> for a number, as four bytes with the highest first.</summary>
    public void Append(int number)
    {
        Span<byte> bytes = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32BigEndian(bytes, number);
        Append(bytes);
    }
}
