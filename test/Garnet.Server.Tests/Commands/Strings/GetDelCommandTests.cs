// GETDEL: replies with the value and removes the key.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class GetDelCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void GETDEL_removes_the_key()
    {
        Assert.Equal(Null, _server.Call("GETDEL", "k"));
        _server.Call("SET", "k", "v");
        _server.Effects.Take();
        Assert.Equal(Bulk("v"), _server.Call("GETDEL", "k"));
        Assert.Equal(["DEL k"], _server.Effects.Take());
        Assert.Equal(Null, _server.Call("GET", "k"));
        _server.PutOtherType("l");
        Assert.Equal(WrongType, _server.Call("GETDEL", "l"));
    }
}
