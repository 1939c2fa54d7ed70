// Each command called by a function. One thread.
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Differential.Origins;

/// <summary>A function that calls what its arguments say and returns the reply.</summary>
internal sealed class FunctionOrigin : HistoryOrigin
{
    private const string Library =
        "#!lua name=origin\nserver.register_function('through', function(keys, args) return server.pcall(unpack(args)) end)";

    private RespExchange _client = null!;

    public override void Begin(TestServer server)
    {
        _client = server.Connect();
        Assert.Equal("$6\r\norigin\r\n", _client.ExecuteText("FUNCTION", "LOAD", Library));
    }

    public override RespNode Call(byte[][] command) =>
        RespNode.Parse(_client.Execute([Bytes("FCALL"), Bytes("through"), Bytes("0"), .. command])!);

    // Lua has no other numbers; what is beyond the integers' range becomes the least of them.
    public override long Expected(long integer) => (double)integer is < long.MaxValue and var number ? (long)number : long.MinValue;

    public override void Dispose() => _client.Dispose();
}
