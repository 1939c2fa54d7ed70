// Commands sent one by one on a connection. One thread.
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Differential.Origins;

/// <summary>What the other origins are compared with.</summary>
internal sealed class ConnectionOrigin(int protocol) : HistoryOrigin
{
    private RespExchange _client = null!;

    public override int Protocol => protocol;

    public override void Begin(TestServer server)
    {
        _client = server.Connect();
        if (protocol == 3)
            Assert.StartsWith("%", _client.ExecuteText("HELLO", "3"), StringComparison.Ordinal);
    }

    public override RespNode Call(byte[][] command) => RespNode.Parse(_client.Execute(command)!);

    public override void Dispose() => _client.Dispose();
}
