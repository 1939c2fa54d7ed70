// GETBIT: bits within and beyond a string.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Bitmaps;

public sealed class GetBitCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void GETBIT_reads_bits_and_zeros_beyond_the_end()
    {
        _server.Call("SET", "k", "\u0081\u0001");
        string bits = string.Concat(Enumerable.Range(0, 20).Select(i => _server.Call("GETBIT", "k", $"{i}")[1]));
        Assert.Equal("10000001000000010000", bits);
        Assert.Equal(Integer(0), _server.Call("GETBIT", "k", "4294967295"));
        Assert.Equal(Integer(0), _server.Call("GETBIT", "missing", "0"));
        Assert.Equal("-ERR bit offset is not an integer or out of range\r\n", _server.Call("GETBIT", "k", "4294967296"));
        _server.PutOtherType("l");
        Assert.Equal(WrongType, _server.Call("GETBIT", "l", "0"));
    }
}
