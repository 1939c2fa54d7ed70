// APPEND: growth of inline and large strings, limits.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class AppendCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void APPEND_creates_and_extends()
    {
        Assert.Equal(Integer(5), _server.Call("APPEND", "k", "Hello"));
        Assert.Equal(Integer(11), _server.Call("APPEND", "k", " World"));
        Assert.Equal(Bulk("Hello World"), _server.Call("GET", "k"));
        Assert.Equal(Integer(11), _server.Call("APPEND", "k", ""));
        Assert.Equal(["APPEND k Hello", "APPEND k  World", "APPEND k "], _server.Effects.Take());
        _server.PutOtherType("l");
        Assert.Equal(WrongType, _server.Call("APPEND", "l", "x"));
    }

    [Fact]
    public void APPEND_keeps_the_expiry_and_what_was_there_through_all_sizes()
    {
        _server.Call("SET", "k", "", "EX", "10");
        string expected = "";
        for (int i = 0; expected.Length < 100_000; i++)
        {
            string part = new((char)('a' + (i % 26)), 1 + (i * 7));
            expected += part;
            Assert.Equal(Integer(expected.Length), _server.Call("APPEND", "k", part));
        }

        Assert.Equal(Bulk(expected), _server.Call("GET", "k"));
        Assert.Equal(_server.NowMs + 10_000, _server.ExpiryOf("k"));
    }

    [Fact]
    public void APPEND_beyond_the_limit_is_refused()
    {
        using InProcessServer small = new(options => options.ProtoMaxBulkLengthBytes = 1 << 20);
        string half = new('x', (1 << 19) + 1);
        small.Call("SET", "k", half);
        Assert.Equal(TooLong, small.Call("APPEND", "k", half));
        Assert.Equal(Integer(1 << 20), small.Call("APPEND", "k", half[..^2]));
    }
}
