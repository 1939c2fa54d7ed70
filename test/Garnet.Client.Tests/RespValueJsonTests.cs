// Replies as JSON. Pure functions.
using System.Text;
using System.Text.Json;
using Xunit;

namespace Garnet.Client.Tests;

public sealed class RespValueJsonTests
{
    [Theory]
    [InlineData("+OK\r\n", "\"OK\"")]
    [InlineData(":-5\r\n", "-5")]
    [InlineData("$3\r\na\"b\r\n", "\"a\\u0022b\"")]
    [InlineData("$-1\r\n", "null")]
    [InlineData("*-1\r\n", "null")]
    [InlineData("_\r\n", "null")]
    [InlineData("#t\r\n", "true")]
    [InlineData(",1.5\r\n", "1.5")]
    [InlineData(",inf\r\n", "\"inf\"")]
    [InlineData("(12345678901234567890\r\n", "\"12345678901234567890\"")]
    [InlineData("=7\r\ntxt:abc\r\n", "\"abc\"")]
    [InlineData("-ERR no\r\n", "{\"error\":\"ERR no\"}")]
    [InlineData("*2\r\n:1\r\n*1\r\n$1\r\na\r\n", "[1,[\"a\"]]")]
    [InlineData("~1\r\n:1\r\n", "[1]")]
    [InlineData("%2\r\n$1\r\na\r\n:1\r\n:7\r\n#f\r\n", "{\"a\":1,\"7\":false}")]
    public async Task Is_what_the_reply_means(string wire, string json)
    {
        using var stream = new MemoryStream(Encoding.UTF8.GetBytes(wire));
        using var client = new RespClient(stream);
        RespValue value = await client.ReadAsync();
        Assert.Equal(json, JsonSerializer.Serialize(value));
        Assert.Throws<NotSupportedException>(() => JsonSerializer.Deserialize<RespValue>(json == "null" ? "1" : json));
    }
}
