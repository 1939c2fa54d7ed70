// SUBSTR: GETRANGE under its old name.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class SubStrCommandTests : IDisposable
{
    private readonly InProcessServer server = new(recordEffects: true);

    public void Dispose() => server.Dispose();

    [Fact]
    public void SUBSTR_is_GETRANGE()
    {
        server.Call("SET", "k", "Hello");
        Assert.Equal(Bulk("ell"), server.Call("SUBSTR", "k", "1", "-2"));
        Assert.Equal("-ERR wrong number of arguments for 'substr' command\r\n", server.Call("SUBSTR", "k"));
    }
}
