// SETRANGE: overwriting, growing with zeros, limits.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class SetRangeCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void SETRANGE_overwrites_and_pads()
    {
        Assert.Equal(Integer(0), _server.Call("SETRANGE", "k", "5", ""));
        Assert.Equal(-2, _server.ExpiryOf("k"));
        Assert.Equal(Integer(8), _server.Call("SETRANGE", "k", "5", "abc"));
        Assert.Equal(Bulk("\0\0\0\0\0abc"), _server.Call("GET", "k"));
        Assert.Equal(Integer(8), _server.Call("SETRANGE", "k", "1", "xyz"));
        Assert.Equal(Bulk("\0xyz\0abc"), _server.Call("GET", "k"));
        Assert.Equal(Integer(8), _server.Call("SETRANGE", "k", "100", ""));
    }

    [Fact]
    public void SETRANGE_refuses_bad_offsets_and_types()
    {
        Assert.Equal("-ERR offset is out of range\r\n", _server.Call("SETRANGE", "k", "-1", "x"));
        Assert.Equal(NotInteger, _server.Call("SETRANGE", "k", "x", "x"));
        Assert.Equal(TooLong, _server.Call("SETRANGE", "k", "536870912", "x"));
        Assert.Equal(TooLong, _server.Call("SETRANGE", "k", "9223372036854775807", "x"));
        _server.PutOtherType("l");
        Assert.Equal(WrongType, _server.Call("SETRANGE", "l", "9223372036854775807", "x"));
        Assert.Equal(WrongType, _server.Call("SETRANGE", "l", "1", ""));
    }

    [Fact]
    public void SETRANGE_does_not_exceed_maxmemory()
    {
        using InProcessServer small = new(options => options.MaxMemoryBytes = 64 << 20);
        Assert.Equal(OutOfMemory, small.Call("SETRANGE", "k", "500000000", "x"));
        Assert.Equal(Integer(2), small.Call("SETRANGE", "k", "1", "x"));
    }
}
