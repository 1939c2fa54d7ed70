// BITFIELD_RO: reads, and nothing else.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Bitmaps;

public sealed class BitFieldReadOnlyCommandTests : IDisposable
{
    private readonly InProcessServer server = new(recordEffects: true);

    public void Dispose() => server.Dispose();

    [Fact]
    public void BITFIELD_RO_reads_only()
    {
        server.Call("SET", "k", "AB");
        Assert.Equal(Array(Integer(65), Integer(66)), server.Call("BITFIELD_RO", "k", "GET", "u8", "0", "GET", "i8", "8"));
        Assert.Equal("-ERR BITFIELD_RO only supports the GET subcommand\r\n", server.Call("BITFIELD_RO", "k", "GET", "u8", "0", "SET", "u8", "0", "1"));
        Assert.Equal(Bulk("AB"), server.Call("GET", "k"));
        server.PutOtherType("l");
        Assert.Equal(WrongType, server.Call("BITFIELD_RO", "l", "GET", "u8", "0"));
    }
}
