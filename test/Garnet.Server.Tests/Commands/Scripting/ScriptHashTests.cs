// The hashes of scripts.
using System.Security.Cryptography;
using System.Text;
using Garnet.Server.Scripting;
using Xunit;

namespace Garnet.Server.Tests.Commands.Scripting;

public sealed class ScriptHashTests
{
    [Fact]
    public void Hashes_of_all_lengths_are_those_of_the_runtime()
    {
        byte[] text = new byte[20_000];
        new Random(1).NextBytes(text);
        byte[] digits = new byte[ScriptHash.TextLength];
        foreach (int length in Enumerable.Range(0, 300).Concat([1000, 4095, 16_383, 16_384, 20_000]))
        {
            ScriptHash.Of(text.AsSpan(0, length)).Format(digits);
#pragma warning disable CA5350 // The protocol names scripts by SHA-1.
            Assert.Equal(Convert.ToHexStringLower(SHA1.HashData(text.AsSpan(0, length))), Encoding.ASCII.GetString(digits));
#pragma warning restore CA5350
        }
    }
}
