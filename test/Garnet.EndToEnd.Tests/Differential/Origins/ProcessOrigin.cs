// Each command called in the server's process. One thread.
using System.Text;
using Garnet.Client;
using Garnet.Testing;

namespace Garnet.EndToEnd.Tests.Differential.Origins;

/// <summary>As an application calls the server that it hosts; replies are those of RESP3.</summary>
internal sealed class ProcessOrigin : HistoryOrigin
{
    private IGarnet _garnet = null!;

    public override int Protocol => 3;

    public override void Begin(TestServer server) => _garnet = server.Server.InProcess;

    public override RespNode Call(byte[][] command)
    {
        ReadOnlyMemory<byte>[] arguments = [.. command.Skip(1).Select(static each => (ReadOnlyMemory<byte>)each)];
        try
        {
            return RespNode.Parse(Wire(_garnet.Execute(Encoding.Latin1.GetString(command[0]), arguments)));
        }
        catch (GarnetCommandException e)
        {
            return RespNode.Parse(Bytes($"-{e.Message}\r\n"));
        }
    }

    public override void Dispose() { }
}
