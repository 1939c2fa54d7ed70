// DELIFEQ: removes a key that holds the given value.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class DelIfEqCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void DELIFEQ_removes_only_an_equal_value()
    {
        Assert.Equal(Integer(0), _server.Call("DELIFEQ", "k", ""));
        _server.Call("SET", "k", "v");
        _server.Effects.Take();
        Assert.Equal(Integer(0), _server.Call("DELIFEQ", "k", "vv"));
        Assert.Empty(_server.Effects.Take());
        Assert.Equal(Integer(1), _server.Call("DELIFEQ", "k", "v"));
        Assert.Equal(["DEL k"], _server.Effects.Take());
        _server.PutOtherType("l");
        Assert.Equal(WrongType, _server.Call("DELIFEQ", "l", "x"));
    }
}
