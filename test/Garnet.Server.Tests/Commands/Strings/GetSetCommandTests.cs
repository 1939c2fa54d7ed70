// GETSET: the old value comes back, the new one stays, the expiry goes.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class GetSetCommandTests : IDisposable
{
    private readonly InProcessServer server = new(recordEffects: true);

    public void Dispose() => server.Dispose();

    [Fact]
    public void GETSET_swaps_and_forgets_the_expiry()
    {
        Assert.Equal(Null, server.Call("GETSET", "k", "a"));
        server.Call("SET", "k", "b", "EX", "10");
        server.Effects.Take();
        Assert.Equal(Bulk("b"), server.Call("GETSET", "k", "c"));
        Assert.Equal(["SET k c"], server.Effects.Take());
        Assert.Equal(-1, server.ExpiryOf("k"));
        server.PutOtherType("l");
        Assert.Equal(WrongType, server.Call("GETSET", "l", "c"));
    }
}
