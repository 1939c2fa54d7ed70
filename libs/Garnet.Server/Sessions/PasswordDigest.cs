// What is kept of requirepass to compare with. Immutable; any thread.
using System.Security.Cryptography;
using System.Text;

namespace Garnet.Server.Sessions;

/// <summary>
/// The SHA-256 of a password. Digests of both sides are compared, in constant time, so that the time of a refusal depends on the bytes that
/// the client sent alone: not on how many of them are right, and not on the password's length.
/// </summary>
internal sealed class PasswordDigest(string password)
{
    private readonly byte[] _digest = SHA256.HashData(Encoding.UTF8.GetBytes(password));

    /// <summary>Whether this is the digest of that very text object, as long as an option is not set anew.</summary>
    public bool IsOf(string text) => ReferenceEquals(text, password);

    /// <summary>Whether a client gave the password.</summary>
    public bool Matches(ReadOnlySpan<byte> given)
    {
        Span<byte> digest = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(given, digest);
        return CryptographicOperations.FixedTimeEquals(_digest, digest);
    }

    /// <summary>The digest in hexadecimal digits, as ACL shows it.</summary>
    public override string ToString() => Convert.ToHexStringLower(_digest);
}
