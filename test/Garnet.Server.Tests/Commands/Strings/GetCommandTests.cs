// GET: strings, absent keys, other types, both protocol versions.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class GetCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void GET_replies_with_the_string_or_null()
    {
        Assert.Equal(Null, _server.Call("GET", "k"));
        Assert.Equal("_\r\n", _server.Connect(protocolVersion: 3).Call("GET", "k"));
        _server.Call("SET", "k", "v");
        Assert.Equal(Bulk("v"), _server.Call("GET", "k"));
    }

    [Fact]
    public void GET_of_another_type_is_an_error()
    {
        _server.PutOtherType("l");
        Assert.Equal(WrongType, _server.Call("GET", "l"));
    }

    [Fact]
    public void GET_needs_exactly_one_key() => Assert.Equal("-ERR wrong number of arguments for 'get' command\r\n", _server.Call("GET"));
}
