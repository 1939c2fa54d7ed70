// INCRBYFLOAT: sums in 80 bits, and values that are not numbers.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class IncrByFloatCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Theory]
    [InlineData("0", "1.5", "1.5")]
    [InlineData("0.1", "0.2", "0.3")]
    [InlineData("3.0", "1.000000000000000005", "4.00000000000000001")]
    [InlineData("5.0e3", "200", "5200")]
    [InlineData("1", "-1", "0")]
    [InlineData("1", "-1.1", "-0.1")]
    [InlineData("10.50", "0.1", "10.6")]
    [InlineData("17179869184", "1.5", "17179869185.5")]
    public void Sums_have_no_surprising_digits(string value, string increment, string sum)
    {
        _server.Call("SET", "k", value);
        _server.Effects.Take();
        Assert.Equal(Bulk(sum), _server.Call("INCRBYFLOAT", "k", increment));
        Assert.Equal([$"SET k {sum} KEEPTTL"], _server.Effects.Take());
        Assert.Equal(Bulk(sum), _server.Call("GET", "k"));
    }

    [Fact]
    public void INCRBYFLOAT_checks_type_value_and_increment()
    {
        Assert.Equal("-ERR value is not a valid float\r\n", _server.Call("INCRBYFLOAT", "k", "abc"));
        Assert.Equal("-ERR increment would produce NaN or Infinity\r\n", _server.Call("INCRBYFLOAT", "k", "+inf"));
        _server.Call("SET", "k", " 11");
        Assert.Equal("-ERR value is not a valid float\r\n", _server.Call("INCRBYFLOAT", "k", "1.0"));
        _server.PutOtherType("l");
        Assert.Equal(WrongType, _server.Call("INCRBYFLOAT", "l", "abc"));
        _server.Call("SET", "t", "1", "EX", "10");
        _server.Call("INCRBYFLOAT", "t", "0.25");
        Assert.Equal(_server.NowMs + 10_000, _server.ExpiryOf("t"));
    }
}
