// The version change of a snapshot with thousands of connections. One process.
using System.Diagnostics;
using System.Net.Sockets;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Faults;

[Collection(FaultsCollection.Name)]
public sealed class BarrierTests(ITestOutputHelper output)
{
    private const int ActiveClients = 4;
    private const int Saves = 20;

    // Times are reported, not asserted: the machine may be busy.
    [Fact]
    public void A_snapshot_begins_beside_many_connections_and_all_of_them_are_served_meanwhile()
    {
        int count = FaultScale.Count(2_000, 10_000);
        using var target = new FaultTarget("epoll", "--maxclients", "20000");
        var idle = new List<Socket>(count);
        try
        {
            for (int i = 0; i < count; i++)
                idle.Add(target.ConnectSocket());
            using RespExchange client = target.Connect();
            long[] slowest = new long[ActiveClients];
            bool stop = false;
            Thread[] active =
            [
                .. Enumerable.Range(0, ActiveClients).Select(number => new Thread(() => Work(target, number, slowest, ref stop))),
            ];
            foreach (Thread thread in active)
                thread.Start();
            long[] flips = [.. Enumerable.Range(0, Saves).Select(_ => Save(client, target))];
            Volatile.Write(ref stop, true);
            foreach (Thread thread in active)
                thread.Join();
            Array.Sort(flips);
            output.WriteLine(
                $"{count} idle connections, {ActiveClients} active: the barrier was held {flips[Saves / 2]} us (median), {flips[^1]} us at most; the slowest reply took {slowest.Max()} us"
            );
            Assert.Equal(Saves, target.Info("rdb_saves"));
            foreach (Socket socket in idle)
                socket.Send("*1\r\n$4\r\nPING\r\n"u8);
            byte[] reply = new byte[64];
            Assert.All(idle, socket => Assert.Equal(7, socket.Receive(reply)));
        }
        finally
        {
            idle.ForEach(socket => socket.Dispose());
        }

        target.AssertEndsWell();
    }

    // How long the barrier was held, in microseconds.
    private static long Save(RespExchange client, FaultTarget target)
    {
        Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
        return target.Info("rdb_last_save_flip_usec");
    }

    private static void Work(FaultTarget target, int number, long[] slowest, ref bool stop)
    {
        using RespExchange exchange = target.Connect();
        for (int i = 0; !Volatile.Read(ref stop); i++)
        {
            long start = Stopwatch.GetTimestamp();
            Assert.Equal("+OK\r\n", exchange.ExecuteText("SET", $"key:{number}:{i % 500}", "value"));
            slowest[number] = Math.Max(slowest[number], (long)Stopwatch.GetElapsedTime(start).TotalMicroseconds);
        }
    }
}
