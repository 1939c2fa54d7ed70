// GETSET: replies with the old value, sets the new one, removes the expiry.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class GetSetCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void GETSET_swaps_and_removes_the_expiry()
    {
        Assert.Equal(Null, _server.Call("GETSET", "k", "a"));
        _server.Call("SET", "k", "b", "EX", "10");
        _server.Effects.Take();
        Assert.Equal(Bulk("b"), _server.Call("GETSET", "k", "c"));
        Assert.Equal(["SET k c"], _server.Effects.Take());
        Assert.Equal(-1, _server.ExpiryOf("k"));
        _server.PutOtherType("l");
        Assert.Equal(WrongType, _server.Call("GETSET", "l", "c"));
    }
}
