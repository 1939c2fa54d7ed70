// TTL. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class TtlCommandTests
{
    [Theory]
    [InlineData(100_000, 100)]
    [InlineData(1_499, 1)]
    [InlineData(1_500, 2)]
    [InlineData(499, 0)]
    [InlineData(500, 1)]
    public void Rounds_to_the_nearest_second(int milliseconds, int seconds)
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        server.Call("PEXPIRE", "a", $"{milliseconds}");
        Assert.Equal($":{seconds}\r\n", server.Call("TTL", "a"));
    }

    [Fact]
    public void Distinguishes_a_missing_key_from_one_that_never_expires()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        Assert.Equal(":-1\r\n", server.Call("TTL", "a"));
        Assert.Equal(":-2\r\n", server.Call("TTL", "b"));
    }
}
