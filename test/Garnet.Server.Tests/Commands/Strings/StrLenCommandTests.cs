// STRLEN: lengths, missing keys, other types.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class StrLenCommandTests : IDisposable
{
    private readonly InProcessServer server = new(recordEffects: true);

    public void Dispose() => server.Dispose();

    [Fact]
    public void STRLEN_counts_bytes()
    {
        Assert.Equal(Integer(0), server.Call("STRLEN", "k"));
        server.Call("SET", "k", "h\u00E9");
        Assert.Equal(Integer(2), server.Call("STRLEN", "k"));
        server.Call("SET", "k", new string('x', 100_000));
        Assert.Equal(Integer(100_000), server.Call("STRLEN", "k"));
        server.PutOtherType("l");
        Assert.Equal(WrongType, server.Call("STRLEN", "l"));
    }
}
