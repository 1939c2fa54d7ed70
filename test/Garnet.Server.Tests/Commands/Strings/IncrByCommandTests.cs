// INCRBY: sums, overflow in both directions, the argument is checked before the key.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class IncrByCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void INCRBY_adds()
    {
        Assert.Equal(Integer(17), _server.Call("INCRBY", "k", "17"));
        Assert.Equal(Integer(-3), _server.Call("INCRBY", "k", "-20"));
        Assert.Equal(["INCRBY k 17", "INCRBY k -20"], _server.Effects.Take());
        Assert.Equal(Integer(long.MinValue), _server.Call("INCRBY", "m", "-9223372036854775808"));
        Assert.Equal("-ERR increment or decrement would overflow\r\n", _server.Call("INCRBY", "m", "-1"));
        Assert.Equal(Integer(-1), _server.Call("INCRBY", "m", "9223372036854775807"));
        _server.PutOtherType("l");
        Assert.Equal(NotInteger, _server.Call("INCRBY", "l", "x"));
        Assert.Equal(WrongType, _server.Call("INCRBY", "l", "1"));
    }
}
