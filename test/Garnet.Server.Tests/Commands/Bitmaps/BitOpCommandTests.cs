// BITOP: all operations on strings of different lengths, with the destination among the sources or not.
using Garnet.Testing;
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Bitmaps;

public sealed class BitOpCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Theory]
    [InlineData("AND")]
    [InlineData("or")]
    [InlineData("XOR")]
    [InlineData("NOT")]
    public void BITOP_agrees_with_a_naive_computation(string operation)
    {
        int seed = TestSeed.Choose(13);
        Random random = new(seed);
        foreach (int longest in new[] { 1, 31, 32, 33, 1000, 40_000, 100_000 })
        {
            byte[][] sources =
            [
                .. Enumerable.Range(0, operation == "NOT" ? 1 : 3).Select(i => new byte[i == 0 ? longest : random.Next(longest)]),
            ];
            for (int i = 0; i < sources.Length; i++)
            {
                random.NextBytes(sources[i]);
                _server.Call("SET", $"s{i}", Text(sources[i]));
            }

            byte[] expected =
            [
                .. Enumerable.Range(0, longest).Select(at => Combine(operation, [.. sources.Select(s => at < s.Length ? s[at] : (byte)0)])),
            ];
            string[] keys = [.. sources.Select((_, i) => $"s{i}")];
            Assert.Equal(Integer(longest), _server.Call(["BITOP", operation, "target", .. keys]));
            Assert.True(Bulk(Text(expected)) == _server.Call("GET", "target"), $"seed {seed}, {longest} bytes");

            // The shortest source is also the destination, and grows.
            Assert.Equal(Integer(longest), _server.Call(["BITOP", operation, keys[^1], .. keys]));
            Assert.True(Bulk(Text(expected)) == _server.Call("GET", keys[^1]), $"seed {seed}, {longest} bytes onto a source");
        }
    }

    [Fact]
    public void BITOP_replaces_any_target_and_removes_it_when_there_is_nothing()
    {
        _server.PutOtherType("t");
        _server.Call("SET", "s", "a", "EX", "10");
        Assert.Equal(Integer(1), _server.Call("BITOP", "OR", "t", "s"));
        Assert.Equal(Bulk("a"), _server.Call("GET", "t"));
        _server.Effects.Take();
        Assert.Equal(Integer(1), _server.Call("BITOP", "OR", "s", "s"));
        Assert.Equal(-1, _server.ExpiryOf("s"));
        Assert.Equal(["BITOP OR s s"], _server.Effects.Take());
        Assert.Equal(Integer(0), _server.Call("BITOP", "AND", "t", "missing"));
        Assert.Equal(-2, _server.ExpiryOf("t"));
        _server.Effects.Take();
        Assert.Equal(Integer(0), _server.Call("BITOP", "AND", "t", "missing"));
        Assert.Empty(_server.Effects.Take());
    }

    [Fact]
    public void BITOP_checks_operation_keys_and_types()
    {
        Assert.Equal(Syntax, _server.Call("BITOP", "NAND", "t", "a"));
        Assert.Equal("-ERR BITOP NOT must be called with a single source key.\r\n", _server.Call("BITOP", "NOT", "t", "a", "b"));
        _server.PutOtherType("l");
        Assert.Equal(WrongType, _server.Call("BITOP", "AND", "t", "missing", "l"));
    }

    private static string Text(byte[] bytes) =>
        string.Create(
            bytes.Length,
            bytes,
            static (span, bytes) =>
            {
                for (int i = 0; i < span.Length; i++)
                    span[i] = (char)bytes[i];
            }
        );

    private static byte Combine(string operation, byte[] bytes) =>
        operation switch
        {
            "AND" => bytes.Aggregate((a, b) => (byte)(a & b)),
            "or" => bytes.Aggregate((a, b) => (byte)(a | b)),
            "XOR" => bytes.Aggregate((a, b) => (byte)(a ^ b)),
            _ => (byte)~bytes[0],
        };
}
