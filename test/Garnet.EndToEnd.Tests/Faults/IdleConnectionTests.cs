// Thousands of connections that do nothing, then a little. One process a test.
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Faults;

[Collection(FaultsCollection.Name)]
public sealed class IdleConnectionTests(ITestOutputHelper output)
{
    // The design allows 4 KB; twice that here, as pages of the managed heap come in lumps.
    private const long AllowedBytesEach = 8 * 1024;

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void Idle_connections_cost_little_and_slow_ones_disturb_nobody(string transport)
    {
        int count = FaultScale.Count(5_000, 10_000);
        using var target = new FaultTarget(transport, "--maxclients", "20000");
        using RespExchange other = target.Connect();
        Assert.Equal("+PONG\r\n", other.ExecuteText("PING"));
        long before = target.ResidentBytes;
        var idle = new List<Socket>(count);
        try
        {
            for (int i = 0; i < count; i++)
                idle.Add(target.ConnectSocket());
            FaultTarget.Await(() => target.Info("connected_clients") == count + 2, () => "All connections must be let in.");
            long each = (target.ResidentBytes - before) / count;
            output.WriteLine($"{transport}: {each} bytes of resident memory per connection that never sent anything ({count} of them)");
            Assert.True(each <= AllowedBytesEach, $"{each} bytes per idle connection");

            SendByteByByte(idle, other);
            Settle(target);
            each = (target.ResidentBytes - before) / count;
            output.WriteLine($"{transport}: {each} bytes of resident memory per connection idle after a request");
            Assert.True(each <= AllowedBytesEach, $"{each} bytes per connection that was active");
        }
        finally
        {
            idle.ForEach(socket => socket.Dispose());
        }

        FaultTarget.Await(() => target.Info("connected_clients") == 2, () => "All connections must be gone.");
        target.AssertEndsWell();
    }

    // Every second connection sends its request in single bytes, the rest at once; somebody else is served all the while.
    private static void SendByteByByte(List<Socket> idle, RespExchange other)
    {
        byte[] request = "*1\r\n$4\r\nPING\r\n"u8.ToArray();
        for (int position = 0; position < request.Length; position++)
        {
            for (int i = 0; i < idle.Count; i += 2)
                idle[i].Send(request.AsSpan(position, 1));
            Assert.Equal("+PONG\r\n", other.ExecuteText("PING"));
        }

        for (int i = 1; i < idle.Count; i += 2)
            idle[i].Send(request);
        var reply = new byte[64];
        foreach (Socket socket in idle)
            Assert.Equal("+PONG\r\n", Encoding.ASCII.GetString(reply, 0, socket.Receive(reply)));
    }

    private static void Settle(FaultTarget target)
    {
        long last = target.ResidentBytes;
        for (int i = 0; i < 10; i++)
        {
            Thread.Sleep(100);
            long now = target.ResidentBytes;
            if (now == last)
                return;
            last = now;
        }
    }
}
