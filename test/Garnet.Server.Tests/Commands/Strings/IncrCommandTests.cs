// INCR: integers, limits, values that are not integers.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class IncrCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void INCR_counts_from_zero_and_keeps_the_expiry()
    {
        Assert.Equal(Integer(1), _server.Call("INCR", "k"));
        _server.Call("SET", "k", "9", "EX", "10");
        Assert.Equal(Integer(10), _server.Call("INCR", "k"));
        Assert.Equal(Bulk("10"), _server.Call("GET", "k"));
        Assert.Equal(_server.NowMs + 10_000, _server.ExpiryOf("k"));
        _server.Call("SET", "k", "-1");
        Assert.Equal(Integer(0), _server.Call("INCR", "k"));
        _server.Call("SET", "k", "9223372036854775807");
        Assert.Equal("-ERR increment or decrement would overflow\r\n", _server.Call("INCR", "k"));
    }

    [Theory]
    [InlineData("")]
    [InlineData(" 1")]
    [InlineData("1 ")]
    [InlineData("01")]
    [InlineData("+1")]
    [InlineData("1.0")]
    [InlineData("-0")]
    [InlineData("9223372036854775808")]
    public void INCR_of_a_non_integer_is_an_error(string text)
    {
        _server.Call("SET", "k", text);
        Assert.Equal(NotInteger, _server.Call("INCR", "k"));
        Assert.Equal(Bulk(text), _server.Call("GET", "k"));
    }

    [Fact]
    public void INCR_of_another_type_is_an_error()
    {
        _server.PutOtherType("l");
        Assert.Equal(WrongType, _server.Call("INCR", "l"));
    }
}
