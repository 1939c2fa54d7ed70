// DECRBY: differences, and the one number whose negative overflows.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class DecrByCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void DECRBY_subtracts()
    {
        Assert.Equal(Integer(-5), _server.Call("DECRBY", "k", "5"));
        Assert.Equal(Integer(5), _server.Call("DECRBY", "k", "-10"));
        Assert.Equal("-ERR decrement would overflow\r\n", _server.Call("DECRBY", "k", "-9223372036854775808"));
        Assert.Equal("-ERR increment or decrement would overflow\r\n", _server.Call("DECRBY", "k", "-9223372036854775807"));
    }
}
