// SETNX: sets only an absent key.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class SetNxCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void SETNX_sets_a_missing_key_only()
    {
        Assert.Equal(Integer(1), _server.Call("SETNX", "k", "a"));
        Assert.Equal(["SETNX k a"], _server.Effects.Take());
        Assert.Equal(Integer(0), _server.Call("SETNX", "k", "b"));
        Assert.Empty(_server.Effects.Take());
        Assert.Equal(Bulk("a"), _server.Call("GET", "k"));
        _server.PutOtherType("l");
        Assert.Equal(Integer(0), _server.Call("SETNX", "l", "b"));
    }
}
