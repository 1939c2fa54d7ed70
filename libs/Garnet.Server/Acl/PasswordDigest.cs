// The stored form of a password. Immutable; any thread.
using System.Security.Cryptography;
using System.Text;

namespace Garnet.Server.Acl;

/// <summary>
/// The SHA-256 of a password. Digests of both sides are compared, in constant time, so that the time of a refusal depends on the bytes that
/// the client sent alone: not on how many of them are right, and not on the password's length.
/// </summary>
internal sealed class PasswordDigest
{
    private const int Digits = 2 * SHA256.HashSizeInBytes;

    private readonly string? _password;
    private byte[]? _digest;

    /// <summary>
    /// The digest of an option's text. It is made when a password is first compared: the cryptography library takes time and memory at a
    /// start that needs neither.
    /// </summary>
    public PasswordDigest(string password) => _password = password;

    private PasswordDigest(byte[] digest) => _digest = digest;

    private byte[] Digest => _digest ??= SHA256.HashData(Encoding.UTF8.GetBytes(_password!));

    /// <summary>The digest of the bytes that a client sent.</summary>
    public static PasswordDigest Of(ReadOnlySpan<byte> password) => new(SHA256.HashData(password));

    /// <summary>Reads 64 lower-case hexadecimal digits; null for anything else.</summary>
    public static PasswordDigest? Parse(string text) =>
        text.Length == Digits && text.All(char.IsAsciiHexDigitLower) ? new PasswordDigest(Convert.FromHexString(text)) : null;

    /// <summary>Whether both are digests of the same password; takes constant time.</summary>
    public bool Matches(PasswordDigest other) => CryptographicOperations.FixedTimeEquals(Digest, other.Digest);

    /// <summary>The digest in hexadecimal digits, as ACL shows it.</summary>
    public override string ToString() => Convert.ToHexStringLower(Digest);
}
