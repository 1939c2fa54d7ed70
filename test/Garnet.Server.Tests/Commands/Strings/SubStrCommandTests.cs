// SUBSTR: GETRANGE under its old name.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class SubStrCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void SUBSTR_is_GETRANGE()
    {
        _server.Call("SET", "k", "Hello");
        Assert.Equal(Bulk("ell"), _server.Call("SUBSTR", "k", "1", "-2"));
        Assert.Equal("-ERR wrong number of arguments for 'substr' command\r\n", _server.Call("SUBSTR", "k"));
    }
}
