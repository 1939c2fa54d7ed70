// DELIFEQ: removes a key that holds the value given.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class DelIfEqCommandTests : IDisposable
{
    private readonly InProcessServer server = new(recordEffects: true);

    public void Dispose() => server.Dispose();

    [Fact]
    public void DELIFEQ_removes_only_what_is_equal()
    {
        Assert.Equal(Integer(0), server.Call("DELIFEQ", "k", ""));
        server.Call("SET", "k", "v");
        server.Effects.Take();
        Assert.Equal(Integer(0), server.Call("DELIFEQ", "k", "vv"));
        Assert.Empty(server.Effects.Take());
        Assert.Equal(Integer(1), server.Call("DELIFEQ", "k", "v"));
        Assert.Equal(["DEL k"], server.Effects.Take());
        server.PutOtherType("l");
        Assert.Equal(WrongType, server.Call("DELIFEQ", "l", "x"));
    }
}
