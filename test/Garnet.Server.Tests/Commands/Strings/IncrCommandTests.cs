// INCR: integers, limits, what is no integer.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class IncrCommandTests : IDisposable
{
    private readonly InProcessServer server = new(recordEffects: true);

    public void Dispose() => server.Dispose();

    [Fact]
    public void INCR_counts_from_zero_and_keeps_the_expiry()
    {
        Assert.Equal(Integer(1), server.Call("INCR", "k"));
        server.Call("SET", "k", "9", "EX", "10");
        Assert.Equal(Integer(10), server.Call("INCR", "k"));
        Assert.Equal(Bulk("10"), server.Call("GET", "k"));
        Assert.Equal(server.NowMs + 10_000, server.ExpiryOf("k"));
        server.Call("SET", "k", "-1");
        Assert.Equal(Integer(0), server.Call("INCR", "k"));
        server.Call("SET", "k", "9223372036854775807");
        Assert.Equal("-ERR increment or decrement would overflow\r\n", server.Call("INCR", "k"));
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
    public void INCR_of_what_is_no_integer_is_an_error(string text)
    {
        server.Call("SET", "k", text);
        Assert.Equal(NotInteger, server.Call("INCR", "k"));
        Assert.Equal(Bulk(text), server.Call("GET", "k"));
    }

    [Fact]
    public void INCR_of_another_type_is_an_error()
    {
        server.PutOtherType("l");
        Assert.Equal(WrongType, server.Call("INCR", "l"));
    }
}
