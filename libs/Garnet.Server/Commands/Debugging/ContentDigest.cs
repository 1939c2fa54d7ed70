// The digest of DEBUG DIGEST, with the same result as Valkey's for the same data. Used by the command's thread.
using System.Buffers.Binary;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Debugging;

/// <summary>160 bits, initially zero. Detects whether two data sets are equal; it is not cryptographically secure.</summary>
internal sealed class ContentDigest
{
    private readonly byte[] _sum = new byte[Sha1.HashBytes];

    /// <summary>The digest so far.</summary>
    public ReadOnlySpan<byte> Sum => _sum;

    /// <summary>Resets the digest to zero.</summary>
    public void Clear() => _sum.AsSpan().Clear();

    /// <summary>Adds bytes whose order among others is irrelevant: sum = sum xor SHA1(bytes).</summary>
    public void Add(ReadOnlySpan<byte> bytes)
    {
        Span<byte> hash = stackalloc byte[Sha1.HashBytes];
        Sha1.Hash(bytes, hash);
        for (int i = 0; i < _sum.Length; i++)
            _sum[i] ^= hash[i];
    }

    /// <summary>Adds bytes whose order is relevant: sum = SHA1(sum xor SHA1(bytes)).</summary>
    public void Append(ReadOnlySpan<byte> bytes)
    {
        Add(bytes);
        Span<byte> hash = stackalloc byte[Sha1.HashBytes];
        Sha1.Hash(_sum, hash);
        hash.CopyTo(_sum);
    }

    /// <summary>As <see cref="Append(ReadOnlySpan{byte})"/>, for a number as four bytes in big-endian order.</summary>
    public void Append(int number)
    {
        Span<byte> bytes = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32BigEndian(bytes, number);
        Append(bytes);
    }
}
