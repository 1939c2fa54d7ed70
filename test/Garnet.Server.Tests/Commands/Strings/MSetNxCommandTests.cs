// MSETNX: all pairs or none.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class MSetNxCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void MSETNX_sets_all_or_nothing()
    {
        Assert.Equal(Integer(1), _server.Call("MSETNX", "a", "1", "b", "2", "a", "3"));
        Assert.Equal(Bulks("3", "2"), _server.Call("MGET", "a", "b"));
        Assert.Equal(Integer(0), _server.Call("MSETNX", "c", "1", "b", "9"));
        Assert.Equal(Array(Null, Bulk("2")), _server.Call("MGET", "c", "b"));
        _server.PutOtherType("l");
        Assert.Equal(Integer(0), _server.Call("MSETNX", "c", "1", "l", "9"));
        Assert.Equal("-ERR wrong number of arguments for 'msetnx' command\r\n", _server.Call("MSETNX", "a", "1", "b"));
    }
}
