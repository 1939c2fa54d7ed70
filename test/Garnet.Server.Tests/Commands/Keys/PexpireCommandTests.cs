// PEXPIRE. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class PexpireCommandTests
{
    [Fact]
    public void Sets_the_time_to_live_in_milliseconds()
    {
        using InProcessServer server = new(recordEffects: true);
        server.Call("SET", "a", "1");
        server.Effects.Take();
        Assert.Equal(":1\r\n", server.Call("PEXPIRE", "a", "1500"));
        Assert.Equal(":1500\r\n", server.Call("PTTL", "a"));
        Assert.Equal([$"PEXPIREAT a {server.NowMs + 1500}"], server.Effects.Take());
    }

    [Fact]
    public void Refuses_what_overflows_with_the_time_added()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        Assert.Equal(
            "-ERR invalid expire time in 'pexpire' command\r\n",
            server.Call("PEXPIRE", "a", $"{long.MaxValue - server.NowMs + 1}")
        );
        Assert.Equal(":1\r\n", server.Call("PEXPIRE", "a", $"{long.MaxValue - server.NowMs}"));
        Assert.Equal($":{long.MaxValue}\r\n", server.Call("PEXPIRETIME", "a"));
    }

    [Fact]
    public void The_lowest_number_lies_in_the_past()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        Assert.Equal(":1\r\n", server.Call("PEXPIRE", "a", "-9223372036854775808"));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "a"));
    }
}
