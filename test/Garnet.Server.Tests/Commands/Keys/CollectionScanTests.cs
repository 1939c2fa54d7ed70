// HSCAN, SSCAN and ZSCAN of packed collections beyond the small encodings. Each test has its own server.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class CollectionScanTests
{
    [Theory]
    [InlineData("SADD", "SSCAN", 1)]
    [InlineData("HSET", "HSCAN", 2)]
    [InlineData("ZADD", "ZSCAN", 2)]
    public void COUNT_takes_effect_with_the_large_encoding(string add, string scan, int width)
    {
        using InProcessServer server = new();
        server.Call("CONFIG", "SET", "hash-max-listpack-entries", "128");
        for (int i = 0; i < 200; i++)
        {
            server.Call(
                add == "SADD" ? [add, "k", $"m{i}"]
                : add == "HSET" ? [add, "k", $"m{i}", "v"]
                : [add, "k", "1", $"m{i}"]
            );
        }

        HashSet<string> seen = [];
        string cursor = "0";
        int calls = 0;
        do
        {
            string[] reply = server.Call(scan, "k", cursor, "COUNT", "20").Split("\r\n");
            cursor = reply[2];
            string[] elements = [.. reply[4..].Where((_, i) => i % (2 * width) == 1)];
            Assert.InRange(elements.Length, 1, 30);
            seen.UnionWith(elements);
        } while (cursor != "0" && ++calls < 300);
        Assert.Equal("0", cursor);
        Assert.Equal(200, seen.Count);
        Assert.InRange(calls, 6, 9);
    }

    [Theory]
    [InlineData("SADD k a b c", "SSCAN k 0 COUNT 1", 3)]
    [InlineData("HSET k a 1 b 2", "HSCAN k 0 COUNT 1", 4)]
    [InlineData("ZADD k 1 a 2 b", "ZSCAN k 7 COUNT 1", 4)]
    [InlineData("SADD k 1 2 3", "SSCAN k 99 COUNT 1", 3)]
    public void Small_collections_are_returned_at_once(string add, string scan, int pieces)
    {
        using InProcessServer server = new();
        server.Call(add.Split(' '));
        Assert.StartsWith($"*2\r\n$1\r\n0\r\n*{pieces}\r\n", server.Call(scan.Split(' ')));
    }

    // Valkey parses the text up to a zero byte, and uses the lower bits of the number.
    [Theory]
    [InlineData("0")]
    [InlineData("00")]
    [InlineData("9223372036854775808")]
    [InlineData("+0\0x")]
    public void An_unusual_cursor_restarts_if_its_lower_bits_are_zero(string cursor)
    {
        using InProcessServer server = new();
        server.Call(["SADD", "k", .. Enumerable.Range(0, 200).Select(i => $"m{i}")]);
        Assert.StartsWith("*2\r\n$1\r\n0\r\n*200\r\n", server.Call("SSCAN", "k", cursor, "COUNT", "1000"), StringComparison.Ordinal);
    }
}
