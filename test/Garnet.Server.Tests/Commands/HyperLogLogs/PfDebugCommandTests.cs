// PFDEBUG: runs, registers, encodings.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.HyperLogLogs;

public sealed class PfDebugCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void PFDEBUG_shows_internals_of_a_sketch()
    {
        _server.Call("PFADD", "k", "a", "b", "c");
        Assert.Equal(Bulk("Z:8436 v:1,1 Z:4274 v:2,1 Z:3068 v:1,1 Z:603"), _server.Call("PFDEBUG", "DECODE", "k"));
        Assert.Equal("+sparse\r\n", _server.Call("PFDEBUG", "encoding", "k"));
        Assert.Equal(Integer(1), _server.Call("PFDEBUG", "TODENSE", "k"));
        Assert.Equal(Integer(0), _server.Call("PFDEBUG", "TODENSE", "k"));
        Assert.Equal("-ERR HLL encoding is not sparse\r\n", _server.Call("PFDEBUG", "DECODE", "k"));
        string[] registers = _server.Call("PFDEBUG", "GETREG", "k").Split("\r\n")[1..^1];
        Assert.Equal(16_384, registers.Length);
        Assert.Equal([(8436, ":1"), (12_711, ":2"), (15_780, ":1")], registers.Index().Where(register => register.Item != ":0"));
        Assert.Equal(Integer(3), _server.Call("PFCOUNT", "k"));
    }

    [Fact]
    public void PFDEBUG_checks_key_and_subcommand()
    {
        Assert.Equal("-ERR The specified key does not exist\r\n", _server.Call("PFDEBUG", "FOO", "k"));
        _server.Call("PFADD", "k");
        Assert.Equal("-ERR Unknown PFDEBUG subcommand 'FOO'\r\n", _server.Call("PFDEBUG", "FOO", "k"));
        Assert.Equal("-ERR Unknown PFDEBUG subcommand '\xFF'\r\n", _server.Call("PFDEBUG", "\xFF\0x", "k"));
        Assert.Equal("-ERR Argument must be ON or OFF\r\n", _server.Call("PFDEBUG", "SIMD", "k"));
        Assert.Equal("+enabled\r\n", _server.Call("PFDEBUG", "SIMD", "OFF"));
    }
}
