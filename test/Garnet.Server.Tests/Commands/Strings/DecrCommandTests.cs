// DECR: subtracts one.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class DecrCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void DECR_subtracts_one()
    {
        Assert.Equal(Integer(-1), _server.Call("DECR", "k"));
        _server.Call("SET", "k", "10");
        Assert.Equal(Integer(9), _server.Call("DECR", "k"));
        Assert.Equal(Bulk("9"), _server.Call("GET", "k"));
        _server.Call("SET", "k", "-9223372036854775808");
        Assert.Equal("-ERR increment or decrement would overflow\r\n", _server.Call("DECR", "k"));
    }
}
