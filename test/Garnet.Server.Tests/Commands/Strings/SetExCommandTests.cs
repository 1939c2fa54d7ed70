// SETEX: value and expiry together.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class SetExCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void SETEX_sets_value_and_expiry()
    {
        Assert.Equal(Ok, _server.Call("SETEX", "k", "10", "v"));
        Assert.Equal([$"SET k v PXAT {_server.NowMs + 10_000}"], _server.Effects.Take());
        Assert.Equal(_server.NowMs + 10_000, _server.ExpiryOf("k"));
    }

    [Fact]
    public void SETEX_rejects_invalid_times()
    {
        Assert.Equal("-ERR invalid expire time in 'setex' command\r\n", _server.Call("SETEX", "k", "0", "v"));
        Assert.Equal("-ERR invalid expire time in 'setex' command\r\n", _server.Call("SETEX", "k", "9223372036854775", "v"));
        Assert.Equal(NotInteger, _server.Call("SETEX", "k", "x", "v"));
    }
}
