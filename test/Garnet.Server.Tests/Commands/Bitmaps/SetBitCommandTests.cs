// SETBIT: bits, growth, what counts as a change, limits.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Bitmaps;

public sealed class SetBitCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void SETBIT_sets_and_clears_and_replies_with_the_old_bit()
    {
        Assert.Equal(Integer(0), _server.Call("SETBIT", "k", "7", "1"));
        Assert.Equal(Bulk("\u0001"), _server.Call("GET", "k"));
        Assert.Equal(Integer(1), _server.Call("SETBIT", "k", "7", "0"));
        Assert.Equal(Integer(0), _server.Call("SETBIT", "k", "16", "1"));
        Assert.Equal(Bulk("\0\0\u0080"), _server.Call("GET", "k"));
    }

    [Fact]
    public void Only_a_changed_bit_or_a_longer_string_is_written_to_the_log()
    {
        _server.Call("SETBIT", "k", "0", "0");
        _server.Call("SETBIT", "k", "0", "0");
        _server.Call("SETBIT", "k", "1", "1");
        _server.Call("SETBIT", "k", "1", "1");
        _server.Call("SETBIT", "k", "8", "0");
        Assert.Equal(["SETBIT k 0 0", "SETBIT k 1 1", "SETBIT k 8 0"], _server.Effects.Take());
    }

    [Theory]
    [InlineData("-1", "1", "-ERR bit offset is not an integer or out of range\r\n")]
    [InlineData("x", "x", "-ERR bit offset is not an integer or out of range\r\n")]
    [InlineData("#1", "1", "-ERR bit offset is not an integer or out of range\r\n")]
    [InlineData("4294967296", "1", "-ERR bit offset is not an integer or out of range\r\n")]
    [InlineData("0", "2", "-ERR bit is not an integer or out of range\r\n")]
    [InlineData("0", "x", "-ERR bit is not an integer or out of range\r\n")]
    public void SETBIT_checks_its_arguments_before_the_key(string offset, string bit, string reply)
    {
        _server.PutOtherType("l");
        Assert.Equal(reply, _server.Call("SETBIT", "l", offset, bit));
        Assert.Equal(WrongType, _server.Call("SETBIT", "l", "0", "1"));
    }

    [Fact]
    public void SETBIT_does_not_exceed_maxmemory()
    {
        using InProcessServer small = new(options => options.MaxMemoryBytes = 64 << 20);
        Assert.Equal(OutOfMemory, small.Call("SETBIT", "k", "4294967295", "1"));
        Assert.Equal(Integer(0), small.Call("SETBIT", "k", "100", "1"));
    }
}
