// Clients that request much and read nothing, or read late. Each test has its own process.
using System.Diagnostics;
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Faults;

[Collection(FaultsCollection.Name)]
public sealed class SlowReaderTests
{
    private const long Megabyte = 1 << 20;

    [Theory]
    [InlineData("epoll", 1_000)]
    [InlineData("epoll", 100_000)]
    [InlineData("sockets", 1_000)]
    [InlineData("sockets", 100_000)]
    public void Replies_past_the_hard_limit_end_the_connection(string transport, int valueBytes)
    {
        using var target = new FaultTarget(transport, "--client-output-buffer-limit", "normal 4mb 0 0");
        using RespExchange observer = target.Connect();
        Assert.Equal("+OK\r\n", observer.ExecuteText("SET", "k", new string('x', valueBytes)));
        long before = target.ResidentBytes;
        int readers = FaultScale.Count(10, 100);
        target.ResetPeak();
        List<Socket> slow = StartReaders(target, readers, FaultTarget.Pipeline(20_000_000 / valueBytes, "GET", "k"));
        FaultTarget.Await(() => target.Info("connected_clients") == 2, () => "The slow readers must be cut off.");
        long grown = target.PeakResidentBytes - before;
        long allowed = (readers * 4 * Megabyte * 11 / 10) + (32 * Megabyte);
        Assert.True(grown <= allowed, $"{grown / Megabyte} MB for {readers} readers");
        slow.ForEach(client => client.Dispose());
        target.AwaitResident(before + 64 * Megabyte);
        target.AwaitLog("output buffer limit");
        Assert.Equal("+PONG\r\n", observer.ExecuteText("PING"));
        target.AssertEndsWell();
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void Replies_past_the_soft_limit_end_the_connection_after_its_time(string transport)
    {
        using var target = new FaultTarget(transport, "--client-output-buffer-limit", "normal 0 1mb 2");
        using RespExchange observer = target.Connect();
        Assert.Equal("+OK\r\n", observer.ExecuteText("SET", "k", new string('x', 1000)));
        long start = Stopwatch.GetTimestamp();
        List<Socket> slow = StartReaders(target, 1, FaultTarget.Pipeline(10_000, "GET", "k"));
        FaultTarget.Await(() => target.Info("connected_clients") == 2, () => "The slow reader must be cut off.");
        Assert.True(Stopwatch.GetElapsedTime(start) > TimeSpan.FromSeconds(1.5), "The soft limit allows two seconds.");
        slow.ForEach(client => client.Dispose());
        target.AssertEndsWell();
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void Without_a_limit_unread_replies_take_their_size_and_are_freed_with_their_client(string transport)
    {
        using var target = new FaultTarget(transport);
        using RespExchange observer = target.Connect();
        Assert.Equal("+OK\r\n", observer.ExecuteText("SET", "small", new string('x', 1000)));
        Assert.Equal("+OK\r\n", observer.ExecuteText("SET", "large", new string('x', 1_000_000)));
        long before = target.ResidentBytes;
        long blocks = target.Info("store_block_bytes");
        List<Socket> slow = StartReaders(target, 5, FaultTarget.Pipeline(10_000, "GET", "small"));
        slow.AddRange(StartReaders(target, 5, FaultTarget.Pipeline(1000, "GET", "large")));
        FaultTarget.Await(() => target.Info("total_commands_processed") >= 55_000, () => "The server must go on reading.");
        long grown = target.ResidentBytes - before;
        // 5 x 10,000 x 1 KB are copies; 5 x 1000 x 1 MB refer to one block.
        Assert.True(grown < 128 * Megabyte, $"{grown / Megabyte} MB for 50 MB of replies");
        slow.ForEach(client => client.Dispose());
        FaultTarget.Await(() => target.Info("connected_clients") == 2, () => "The clients are gone.");
        target.AwaitResident(before + 64 * Megabyte);
        Assert.Equal(blocks, target.Info("store_block_bytes"));
        target.AssertEndsWell();
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void A_pipeline_of_100000_GETs_is_answered_although_nothing_is_read_meanwhile(string transport)
    {
        const int Commands = 100_000;
        using var target = new FaultTarget(transport);
        using RespExchange client = target.Connect();
        string value = new('x', 1000);
        Assert.Equal("+OK\r\n", client.ExecuteText("SET", "k", value));
        client.Send(FaultTarget.Pipeline(Commands, "GET", "k"));
        byte[] expected = Encoding.ASCII.GetBytes($"$1000\r\n{value}\r\n");
        for (int i = 0; i < Commands; i++)
            Assert.True(client.ReadReply().AsSpan().SequenceEqual(expected), $"reply {i}");
        Assert.Equal("+PONG\r\n", client.ExecuteText("PING"));
        target.AssertEndsWell();
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void A_client_that_does_not_read_does_not_delay_shutdown(string transport)
    {
        using var target = new FaultTarget(transport);
        using (RespExchange observer = target.Connect())
            Assert.Equal("+OK\r\n", observer.ExecuteText("SET", "k", new string('x', 1_000_000)));
        List<Socket> slow = StartReaders(target, 3, FaultTarget.Pipeline(100, "GET", "k"));
        FaultTarget.Await(() => target.Info("total_commands_processed") >= 300, () => "The server must go on reading.");
        long start = Stopwatch.GetTimestamp();
        target.AssertEndsWell();
        TimeSpan took = Stopwatch.GetElapsedTime(start);
        slow.ForEach(client => client.Dispose());
        Assert.True(!FaultScale.IsFull || took < TimeSpan.FromSeconds(2), $"The end took {took.TotalSeconds:F1} s.");
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public async Task Monitors_that_do_not_read_are_disconnected_at_the_limit_and_others_see_everything(string transport)
    {
        // Several times what the limit and the system's buffers hold of their lines.
        const int Commands = 8_000;
        using var target = new FaultTarget(transport, "--client-output-buffer-limit", "normal 1mb 0 0", "--io-threads", "2");
        int watchers = FaultScale.Count(5, 50);
        List<Socket> slow = StartReaders(target, watchers, FaultTarget.Pipeline(1, "MONITOR"));
        using RespExchange watcher = target.Connect();
        Assert.Equal("+OK\r\n", watcher.ExecuteText("MONITOR"));
        FaultTarget.Await(() => target.Info("connected_clients") == watchers + 2, () => "All watch.");
        long before = target.ResidentBytes;
        int seenSoFar = 0;
        var seen = Task.Run(() =>
        {
            var numbers = new HashSet<string>();
            while (numbers.Count < 2 * Commands)
            {
                string line = Encoding.Latin1.GetString(watcher.ReadReply() ?? throw new EndOfStreamException());
                if (line.Contains("\"SET\"", StringComparison.Ordinal))
                    Assert.True(numbers.Add(line[line.IndexOf("\"SET\"", StringComparison.Ordinal)..]), line);
                Volatile.Write(ref seenSoFar, numbers.Count);
            }
        });
        Task[] writers =
        [
            .. Enumerable
                .Range(0, 2)
                .Select(writer =>
                    Task.Run(() =>
                    {
                        using RespExchange client = target.Connect();
                        for (int i = 0; i < Commands; i++)
                        {
                            // A client that reads must not be treated as a slow one.
                            while ((2 * i) - Volatile.Read(ref seenSoFar) > 2000 && !seen.IsCompleted)
                                Thread.Sleep(1);
                            Assert.Equal("+OK\r\n", client.ExecuteText("SET", "k", $"{writer} {i} {new string('x', 500)}"));
                        }
                    })
                ),
        ];
        await Task.WhenAll([.. writers, seen]).WaitAsync(TimeSpan.FromMinutes(2));
        FaultTarget.Await(() => target.Info("connected_clients") == 2, () => "The slow watchers must be cut off.");
        slow.ForEach(each => each.Dispose());
        target.AwaitResident(before + 96 * Megabyte);
        target.AwaitLog("output buffer limit");
        target.AssertEndsWell();
    }

    // A reader's sends may fail halfway because it is disconnected (the runtime may report that as a timeout); the callers check whether
    // the server has closed the connection.
    private static List<Socket> StartReaders(FaultTarget target, int count, byte[] requests)
    {
        var readers = new List<Socket>();
        for (int i = 0; i < count; i++)
        {
            Socket reader = target.ConnectSocket();
            readers.Add(reader);
            try
            {
                for (ReadOnlySpan<byte> rest = requests; !rest.IsEmpty; )
                    rest = rest[reader.Send(rest)..];
            }
            catch (SocketException)
            {
                continue;
            }
        }

        return readers;
    }
}
