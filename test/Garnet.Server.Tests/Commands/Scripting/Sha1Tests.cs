// The own SHA-1 agrees with the system's.
using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using Garnet.Server.Scripting;
using Xunit;

namespace Garnet.Server.Tests.Commands.Scripting;

public sealed class Sha1Tests
{
    [Fact]
    [SuppressMessage("Security", "CA5350:Do Not Use Weak Cryptographic Algorithms", Justification = "It is the yardstick.")]
    public void Every_length_around_blocks_has_the_right_hash()
    {
        Random random = new(20261123);
        Span<byte> hash = stackalloc byte[Sha1.HashBytes];
        for (int length = 0; length < 300; length++)
        {
            byte[] text = new byte[length];
            random.NextBytes(text);
            Sha1.Hash(text, hash);
            Assert.Equal(SHA1.HashData(text), hash.ToArray());
        }
    }
}
