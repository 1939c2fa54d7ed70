// Thousands of idle connections, and then slow ones. One process per test.
using System.Diagnostics;
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Faults;

[Collection(FaultsCollection.Name)]
public sealed class IdleConnectionTests(ITestOutputHelper output)
{
    // The design allows 4 KB; twice that for few connections, because the managed heap grows in large steps, and on the portable transport.
    private const long AllowedBytesEach = 8 * 1024;
    private const long AllowedBytesEachOfMany = 4 * 1024;

    // The runtime's sockets keep additional objects for each connection that has received data.
    private const long AllowedBytesEachElsewhere = 12 * 1024;

    // As many as the machine's limit of open files allows, the server's own files and those of the test aside.
    private static int MaxConnections { get; } =
        Math.Min(
            19_000,
            int.Parse(
                File.ReadLines("/proc/self/limits")
                    .First(static line => line.StartsWith("Max open files", StringComparison.Ordinal))
                    .Split(' ', StringSplitOptions.RemoveEmptyEntries)[4],
                System.Globalization.CultureInfo.InvariantCulture
            ) - 1000
        );

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void Idle_connections_cost_little_and_slow_ones_do_not_affect_others(string transport)
    {
        int count = FaultScale.Count(5_000, MaxConnections);
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
            Assert.True(
                each <= (FaultScale.IsFull && transport == "epoll" ? AllowedBytesEachOfMany : AllowedBytesEach),
                $"{each} bytes per idle connection"
            );

            double alone = Percentile99(other, TimeSpan.FromSeconds(FaultScale.Count(0, 10)));
            double beside = SendByteByByte(idle, other);
            output.WriteLine(
                $"{transport}: p99 of another client {alone:F3} ms alone, {beside:F3} ms beside half of them sending a byte at a time"
            );
            Assert.True(!FaultScale.IsFull || beside <= 2 * alone, $"p99 {alone} ms alone, {beside} ms beside slow senders");
            Settle(target);
            each = (target.ResidentBytes - before) / count;
            output.WriteLine($"{transport}: {each} bytes of resident memory per connection idle after a request");
            Assert.True(
                each <= (transport == "epoll" ? AllowedBytesEach : AllowedBytesEachElsewhere),
                $"{each} bytes per connection that was active"
            );
        }
        finally
        {
            idle.ForEach(socket => socket.Dispose());
        }

        FaultTarget.Await(() => target.Info("connected_clients") == 2, () => "All connections must be gone.");
        target.AssertEndsWell();
    }

    // Every second connection sends its request in single bytes (in the full run one per second), the others at once; another client is
    // served throughout.
    private static double SendByteByByte(List<Socket> idle, RespExchange other)
    {
        byte[] request = "*1\r\n$4\r\nPING\r\n"u8.ToArray();
        Task<double> served = Task.Run(() => Percentile99(other, TimeSpan.FromSeconds(FaultScale.Count(1, request.Length))));
        for (int position = 0; position < request.Length; position++)
        {
            long start = Stopwatch.GetTimestamp();
            for (int i = 0; i < idle.Count; i += 2)
            {
                idle[i].Send(request.AsSpan(position, 1));
                // Spread over the second, as for independent clients.
                if (FaultScale.IsFull && i % 100 == 0)
                {
                    Thread.Sleep(
                        TimeSpan.FromSeconds(Math.Max(0, ((double)i / idle.Count) - Stopwatch.GetElapsedTime(start).TotalSeconds))
                    );
                }
            }
        }

        for (int i = 1; i < idle.Count; i += 2)
            idle[i].Send(request);
        byte[] reply = new byte[64];
        foreach (Socket socket in idle)
            Assert.Equal("+PONG\r\n", Encoding.ASCII.GetString(reply, 0, socket.Receive(reply)));
        return served.GetAwaiter().GetResult();
    }

    private static double Percentile99(RespExchange client, TimeSpan time)
    {
        List<double> latencies = [];
        long start = Stopwatch.GetTimestamp();
        do
        {
            long asked = Stopwatch.GetTimestamp();
            Assert.Equal("+PONG\r\n", client.ExecuteText("PING"));
            latencies.Add(Stopwatch.GetElapsedTime(asked).TotalMilliseconds);
        } while (Stopwatch.GetElapsedTime(start) < time);
        latencies.Sort();
        return latencies[latencies.Count * 99 / 100];
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
