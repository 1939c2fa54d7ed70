// BITFIELD_RO: only GET operations.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Bitmaps;

public sealed class BitFieldReadOnlyCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void BITFIELD_RO_reads_only()
    {
        _server.Call("SET", "k", "AB");
        Assert.Equal(Array(Integer(65), Integer(66)), _server.Call("BITFIELD_RO", "k", "GET", "u8", "0", "GET", "i8", "8"));
        Assert.Equal(
            "-ERR BITFIELD_RO only supports the GET subcommand\r\n",
            _server.Call("BITFIELD_RO", "k", "GET", "u8", "0", "SET", "u8", "0", "1")
        );
        Assert.Equal(Bulk("AB"), _server.Call("GET", "k"));
        _server.PutOtherType("l");
        Assert.Equal(WrongType, _server.Call("BITFIELD_RO", "l", "GET", "u8", "0"));
    }
}
