// BITOP: all operations on strings of different lengths, onto itself and others.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Bitmaps;

public sealed class BitOpCommandTests : IDisposable
{
    private readonly InProcessServer server = new(recordEffects: true);

    public void Dispose() => server.Dispose();

    [Theory]
    [InlineData("AND")]
    [InlineData("or")]
    [InlineData("XOR")]
    [InlineData("NOT")]
    public void BITOP_agrees_with_computing_by_hand(string operation)
    {
        const int seed = 13;
        Random random = new(seed);
        foreach (int longest in new[] { 1, 31, 32, 33, 1000, 40_000, 100_000 })
        {
            byte[][] sources = [.. Enumerable.Range(0, operation == "NOT" ? 1 : 3).Select(i => new byte[i == 0 ? longest : random.Next(longest)])];
            for (int i = 0; i < sources.Length; i++)
            {
                random.NextBytes(sources[i]);
                server.Call("SET", $"s{i}", Text(sources[i]));
            }

            byte[] expected = [.. Enumerable.Range(0, longest).Select(at => Combine(operation, [.. sources.Select(s => at < s.Length ? s[at] : (byte)0)]))];
            string[] keys = [.. sources.Select((_, i) => $"s{i}")];
            Assert.Equal(Integer(longest), server.Call(["BITOP", operation, "target", .. keys]));
            Assert.True(Bulk(Text(expected)) == server.Call("GET", "target"), $"seed {seed}, {longest} bytes");

            // The shortest source as its own target, which grows.
            Assert.Equal(Integer(longest), server.Call(["BITOP", operation, keys[^1], .. keys]));
            Assert.True(Bulk(Text(expected)) == server.Call("GET", keys[^1]), $"seed {seed}, {longest} bytes onto a source");
        }
    }

    [Fact]
    public void BITOP_replaces_any_target_and_removes_it_when_there_is_nothing()
    {
        server.PutOtherType("t");
        server.Call("SET", "s", "a", "EX", "10");
        Assert.Equal(Integer(1), server.Call("BITOP", "OR", "t", "s"));
        Assert.Equal(Bulk("a"), server.Call("GET", "t"));
        server.Effects.Take();
        Assert.Equal(Integer(1), server.Call("BITOP", "OR", "s", "s"));
        Assert.Equal(-1, server.ExpiryOf("s"));
        Assert.Equal(["BITOP OR s s"], server.Effects.Take());
        Assert.Equal(Integer(0), server.Call("BITOP", "AND", "t", "missing"));
        Assert.Equal(-2, server.ExpiryOf("t"));
        server.Effects.Take();
        Assert.Equal(Integer(0), server.Call("BITOP", "AND", "t", "missing"));
        Assert.Empty(server.Effects.Take());
    }

    [Fact]
    public void BITOP_checks_operation_keys_and_types()
    {
        Assert.Equal(Syntax, server.Call("BITOP", "NAND", "t", "a"));
        Assert.Equal("-ERR BITOP NOT must be called with a single source key.\r\n", server.Call("BITOP", "NOT", "t", "a", "b"));
        server.PutOtherType("l");
        Assert.Equal(WrongType, server.Call("BITOP", "AND", "t", "missing", "l"));
    }

    private static string Text(byte[] bytes) => string.Create(bytes.Length, bytes, static (span, bytes) =>
    {
        for (int i = 0; i < span.Length; i++)
            span[i] = (char)bytes[i];
    });

    private static byte Combine(string operation, byte[] bytes) => operation switch
    {
        "AND" => bytes.Aggregate((a, b) => (byte)(a & b)),
        "or" => bytes.Aggregate((a, b) => (byte)(a | b)),
        "XOR" => bytes.Aggregate((a, b) => (byte)(a ^ b)),
        _ => (byte)~bytes[0],
    };
}
