// STRLEN: lengths, absent keys, other types.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class StrLenCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void STRLEN_counts_bytes()
    {
        Assert.Equal(Integer(0), _server.Call("STRLEN", "k"));
        _server.Call("SET", "k", "h\u00E9");
        Assert.Equal(Integer(2), _server.Call("STRLEN", "k"));
        _server.Call("SET", "k", new string('x', 100_000));
        Assert.Equal(Integer(100_000), _server.Call("STRLEN", "k"));
        _server.PutOtherType("l");
        Assert.Equal(WrongType, _server.Call("STRLEN", "l"));
    }
}
