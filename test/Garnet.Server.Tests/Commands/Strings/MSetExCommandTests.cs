// MSETEX: pairs with a common expiry and a condition on all of them.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class MSetExCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void MSETEX_sets_all_with_one_expiry()
    {
        long expiry = _server.NowMs + 10_000;
        Assert.Equal(Integer(1), _server.Call("MSETEX", "2", "a", "1", "b", "2", "EX", "10"));
        Assert.Equal([$"MULTI; SET a 1 PXAT {expiry}; SET b 2 PXAT {expiry}; EXEC"], _server.Effects.Take());
        Assert.Equal(expiry, _server.ExpiryOf("a"));
        Assert.Equal(expiry, _server.ExpiryOf("b"));
        Assert.Equal(Integer(1), _server.Call("MSETEX", "1", "a", "3", "KEEPTTL"));
        Assert.Equal(expiry, _server.ExpiryOf("a"));
        Assert.Equal(Integer(1), _server.Call("MSETEX", "1", "a", "4"));
        Assert.Equal(-1, _server.ExpiryOf("a"));
    }

    [Fact]
    public void MSETEX_has_conditions_on_all_keys()
    {
        Assert.Equal(Integer(0), _server.Call("MSETEX", "1", "a", "1", "XX"));
        Assert.Equal(Integer(1), _server.Call("MSETEX", "1", "a", "1", "NX"));
        Assert.Equal(Integer(0), _server.Call("MSETEX", "2", "b", "1", "a", "2", "NX"));
        Assert.Equal(Integer(0), _server.Call("MSETEX", "2", "a", "2", "b", "1", "XX"));
        Assert.Equal(Array(Bulk("1"), Null), _server.Call("MGET", "a", "b"));
    }

    [Theory]
    [InlineData("0", "-ERR invalid numkeys value or out of range\r\n")]
    [InlineData("x", "-ERR invalid numkeys value or out of range\r\n")]
    [InlineData("2147483648", "-ERR invalid numkeys value or out of range\r\n")]
    [InlineData("2147483647", Syntax)]
    [InlineData("2", Syntax)]
    public void MSETEX_checks_its_number_of_keys(string number, string reply) =>
        Assert.Equal(reply, _server.Call("MSETEX", number, "a", "1"));

    [Fact]
    public void MSETEX_checks_its_options()
    {
        Assert.Equal(Syntax, _server.Call("MSETEX", "1", "a", "1", "GET"));
        Assert.Equal(Syntax, _server.Call("MSETEX", "1", "a", "1", "NX", "XX"));
        Assert.Equal("-ERR invalid expire time in 'msetex' command\r\n", _server.Call("MSETEX", "1", "a", "1", "EX", "0"));
    }

    [Fact]
    public void A_time_that_has_passed_is_stored_and_hides_the_keys()
    {
        Assert.Equal(Integer(1), _server.Call("MSETEX", "1", "a", "1", "PXAT", "1"));
        Assert.Equal(Null, _server.Call("GET", "a"));
    }
}
