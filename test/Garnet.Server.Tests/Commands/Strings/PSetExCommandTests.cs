// PSETEX: as SETEX, in milliseconds.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class PSetExCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void PSETEX_counts_milliseconds()
    {
        Assert.Equal(Ok, _server.Call("PSETEX", "k", "10", "v"));
        Assert.Equal(_server.NowMs + 10, _server.ExpiryOf("k"));
        Assert.Equal("-ERR invalid expire time in 'psetex' command\r\n", _server.Call("PSETEX", "k", "-5", "v"));
    }
}
