// SETRANGE: overwriting, growing with zeros, limits.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class SetRangeCommandTests : IDisposable
{
    private readonly InProcessServer server = new(recordEffects: true);

    public void Dispose() => server.Dispose();

    [Fact]
    public void SETRANGE_overwrites_and_pads()
    {
        Assert.Equal(Integer(0), server.Call("SETRANGE", "k", "5", ""));
        Assert.Equal(-2, server.ExpiryOf("k"));
        Assert.Equal(Integer(8), server.Call("SETRANGE", "k", "5", "abc"));
        Assert.Equal(Bulk("\0\0\0\0\0abc"), server.Call("GET", "k"));
        Assert.Equal(Integer(8), server.Call("SETRANGE", "k", "1", "xyz"));
        Assert.Equal(Bulk("\0xyz\0abc"), server.Call("GET", "k"));
        Assert.Equal(Integer(8), server.Call("SETRANGE", "k", "100", ""));
    }

    [Fact]
    public void SETRANGE_refuses_bad_offsets_and_types()
    {
        Assert.Equal("-ERR offset is out of range\r\n", server.Call("SETRANGE", "k", "-1", "x"));
        Assert.Equal(NotInteger, server.Call("SETRANGE", "k", "x", "x"));
        Assert.Equal(TooLong, server.Call("SETRANGE", "k", "536870912", "x"));
        Assert.Equal(TooLong, server.Call("SETRANGE", "k", "9223372036854775807", "x"));
        server.PutOtherType("l");
        Assert.Equal(WrongType, server.Call("SETRANGE", "l", "9223372036854775807", "x"));
        Assert.Equal(WrongType, server.Call("SETRANGE", "l", "1", ""));
    }

    [Fact]
    public void SETRANGE_does_not_pass_maxmemory()
    {
        using InProcessServer small = new(options => options.MaxMemoryBytes = 64 << 20);
        Assert.Equal(OutOfMemory, small.Call("SETRANGE", "k", "500000000", "x"));
        Assert.Equal(Integer(2), small.Call("SETRANGE", "k", "1", "x"));
    }
}
