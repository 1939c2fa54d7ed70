// SETEX: value and expiry together.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class SetExCommandTests : IDisposable
{
    private readonly InProcessServer server = new(recordEffects: true);

    public void Dispose() => server.Dispose();

    [Fact]
    public void SETEX_sets_value_and_expiry()
    {
        Assert.Equal(Ok, server.Call("SETEX", "k", "10", "v"));
        Assert.Equal([$"SET k v PXAT {server.NowMs + 10_000}"], server.Effects.Take());
        Assert.Equal(server.NowMs + 10_000, server.ExpiryOf("k"));
    }

    [Fact]
    public void SETEX_refuses_what_is_no_time()
    {
        Assert.Equal("-ERR invalid expire time in 'setex' command\r\n", server.Call("SETEX", "k", "0", "v"));
        Assert.Equal("-ERR invalid expire time in 'setex' command\r\n", server.Call("SETEX", "k", "9223372036854775", "v"));
        Assert.Equal(NotInteger, server.Call("SETEX", "k", "x", "v"));
    }
}
