// Each command called by a script. One thread.
using Garnet.Testing;

namespace Garnet.EndToEnd.Tests.Differential.Origins;

/// <summary>A script that calls what its arguments say and returns the reply.</summary>
internal sealed class ScriptOrigin : HistoryOrigin
{
    private RespExchange _client = null!;

    public override void Begin(TestServer server) => _client = server.Connect();

    public override RespNode Call(byte[][] command) =>
        RespNode.Parse(_client.Execute([Bytes("EVAL"), Bytes("return redis.pcall(unpack(ARGV))"), Bytes("0"), .. command])!);

    // Lua has no other numbers; what is beyond the integers' range becomes the least of them.
    public override long Expected(long integer) => (double)integer is < long.MaxValue and var number ? (long)number : long.MinValue;

    public override void Dispose() => _client.Dispose();
}
