// EXPIRE, and the common behaviour of its family: conditions, overflow, times in the past, effects. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class ExpireCommandTests
{
    private const string BadTime = "-ERR invalid expire time in 'expire' command\r\n";

    [Fact]
    public void Sets_the_time_to_live_in_seconds()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        Assert.Equal(":1\r\n", server.Call("EXPIRE", "a", "100"));
        Assert.Equal(":100000\r\n", server.Call("PTTL", "a"));
        Assert.Equal(":0\r\n", server.Call("EXPIRE", "missing", "100"));
    }

    [Theory]
    [InlineData("0")]
    [InlineData("-1")]
    [InlineData("-9223372036854775")]
    public void A_time_that_has_passed_removes_the_key(string seconds)
    {
        using InProcessServer server = new(recordEffects: true);
        server.Call("SET", "a", "1");
        server.Effects.Take();
        Assert.Equal(":1\r\n", server.Call("EXPIRE", "a", seconds));
        Assert.Equal(["DEL a"], server.Effects.Take());
        Assert.Equal(":0\r\n", server.Call("EXISTS", "a"));
    }

    [Theory]
    [InlineData("9223372036854775807", BadTime)]
    [InlineData("9223372036854776", BadTime)]
    [InlineData("-9223372036854776", BadTime)]
    [InlineData("9223372036854775", BadTime)]
    [InlineData("9223372036854775808", "-ERR value is not an integer or out of range\r\n")]
    [InlineData("1.5", "-ERR value is not an integer or out of range\r\n")]
    [InlineData("", "-ERR value is not an integer or out of range\r\n")]
    public void Refuses_times_it_cannot_hold_even_without_the_key(string seconds, string error)
    {
        using InProcessServer server = new();
        Assert.Equal(error, server.Call("EXPIRE", "missing", seconds));
    }

    [Theory]
    [InlineData("NX", -1, 50, true)]
    [InlineData("NX", 100, 50, false)]
    [InlineData("XX", -1, 50, false)]
    [InlineData("XX", 100, 50, true)]
    [InlineData("GT", -1, 50, false)]
    [InlineData("GT", 100, 50, false)]
    [InlineData("gt", 100, 100, false)]
    [InlineData("gt", 100, 101, true)]
    [InlineData("LT", -1, 50, true)]
    [InlineData("LT", 100, 50, true)]
    [InlineData("lt", 100, 100, false)]
    [InlineData("LT", 100, 200, false)]
    [InlineData("XX GT", 100, 200, true)]
    [InlineData("XX LT", -1, 50, false)]
    [InlineData("LT XX", 100, 50, true)]
    public void Conditions_compare_with_the_expiry_there(string conditions, int current, int wanted, bool isSet)
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        if (current > 0)
            server.Call("EXPIRE", "a", $"{current}");
        Assert.Equal(isSet ? ":1\r\n" : ":0\r\n", server.Call(["EXPIRE", "a", $"{wanted}", .. conditions.Split(' ')]));
        Assert.Equal($":{(isSet ? wanted : current)}\r\n", server.Call("TTL", "a"));
    }

    [Theory]
    [InlineData("NX XX", "-ERR NX and XX, GT or LT options at the same time are not compatible\r\n")]
    [InlineData("NX GT", "-ERR NX and XX, GT or LT options at the same time are not compatible\r\n")]
    [InlineData("LT NX", "-ERR NX and XX, GT or LT options at the same time are not compatible\r\n")]
    [InlineData("GT LT", "-ERR GT and LT options at the same time are not compatible\r\n")]
    [InlineData("NX foo", "-ERR Unsupported option foo\r\n")]
    [InlineData("f\0oo", "-ERR Unsupported option f\r\n")]
    [InlineData("f\r\noo", "-ERR Unsupported option f  oo\r\n")]
    public void Conditions_that_exclude_each_other_are_refused_before_the_time_is_looked_at(string conditions, string error)
    {
        using InProcessServer server = new();
        Assert.Equal(error, server.Call(["EXPIRE", "a", "no number", .. conditions.Split(' ')]));
    }

    [Fact]
    public void A_condition_that_fails_leaves_a_key_that_would_have_expired()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        Assert.Equal(":0\r\n", server.Call("EXPIRE", "a", "-1", "XX"));
        Assert.Equal(":1\r\n", server.Call("EXISTS", "a"));
    }

    [Fact]
    public void The_effect_is_the_absolute_time()
    {
        using InProcessServer server = new(recordEffects: true);
        server.Call("SET", "a", "1");
        server.Effects.Take();
        server.Call("EXPIRE", "a", "10", "NX");
        server.Call("EXPIRE", "a", "10", "NX");
        Assert.Equal([$"PEXPIREAT a {server.NowMs + 10_000}"], server.Effects.Take());
    }

    [Fact]
    [Trait("Values", "InMemory")]
    public void Allocates_nothing()
    {
        using InProcessServer server = new();
        Allocations.AssertNone(
            server,
            InProcessClient.Request("SET", "a", "1"),
            InProcessClient.Request("EXPIRE", "a", "100"),
            InProcessClient.Request("PEXPIREAT", "a", "4102444800000", "GT"),
            InProcessClient.Request("TTL", "a"),
            InProcessClient.Request("PERSIST", "a")
        );
    }
}
