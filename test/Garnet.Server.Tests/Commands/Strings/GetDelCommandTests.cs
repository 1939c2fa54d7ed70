// GETDEL: the value comes back, the key goes.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class GetDelCommandTests : IDisposable
{
    private readonly InProcessServer server = new(recordEffects: true);

    public void Dispose() => server.Dispose();

    [Fact]
    public void GETDEL_removes_the_key()
    {
        Assert.Equal(Null, server.Call("GETDEL", "k"));
        server.Call("SET", "k", "v");
        server.Effects.Take();
        Assert.Equal(Bulk("v"), server.Call("GETDEL", "k"));
        Assert.Equal(["DEL k"], server.Effects.Take());
        Assert.Equal(Null, server.Call("GET", "k"));
        server.PutOtherType("l");
        Assert.Equal(WrongType, server.Call("GETDEL", "l"));
    }
}
