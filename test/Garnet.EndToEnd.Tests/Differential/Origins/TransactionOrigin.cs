// Each command in a transaction of its own. One thread.
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Differential.Origins;

/// <summary>MULTI, the command, EXEC; or DISCARD when it was not queued.</summary>
internal sealed class TransactionOrigin : HistoryOrigin
{
    private RespExchange _client = null!;

    public override void Begin(TestServer server) => _client = server.Connect();

    public override RespNode Call(byte[][] command)
    {
        Assert.Equal("+OK\r\n", _client.ExecuteText("MULTI"));
        var queued = RespNode.Parse(_client.Execute(command)!);
        if (queued.Text == "QUEUED")
            return RespNode.Parse(_client.Execute("EXEC")!).Children!.Single();
        Assert.StartsWith("+OK", _client.ExecuteText("DISCARD"), StringComparison.Ordinal);
        return queued;
    }

    public override void Dispose() => _client.Dispose();
}
