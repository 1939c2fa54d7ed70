// SETNX: sets a missing key only.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class SetNxCommandTests : IDisposable
{
    private readonly InProcessServer server = new(recordEffects: true);

    public void Dispose() => server.Dispose();

    [Fact]
    public void SETNX_sets_a_missing_key_only()
    {
        Assert.Equal(Integer(1), server.Call("SETNX", "k", "a"));
        Assert.Equal(["SETNX k a"], server.Effects.Take());
        Assert.Equal(Integer(0), server.Call("SETNX", "k", "b"));
        Assert.Empty(server.Effects.Take());
        Assert.Equal(Bulk("a"), server.Call("GET", "k"));
        server.PutOtherType("l");
        Assert.Equal(Integer(0), server.Call("SETNX", "l", "b"));
    }
}
