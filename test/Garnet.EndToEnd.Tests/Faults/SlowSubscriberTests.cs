// Clients that are sent much without asking for it, and read nothing: subscribers, and clients that track keys. Each test has its own
// process.
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Faults;

[Collection(FaultsCollection.Name)]
public sealed class SlowSubscriberTests(ITestOutputHelper output)
{
    private const long Megabyte = 1 << 20;
    private const long LimitBytes = 4 * Megabyte;

    // What the kernel may hold of each reader besides.
    private const long SentBytes = 5 * LimitBytes;

    private static readonly string[] Limits = ["--client-output-buffer-limit", "normal 4mb 0 0 pubsub 4mb 0 0", "--io-threads", "2"];

    [Theory]
    [InlineData("epoll", 100, "SUBSCRIBE", "news")]
    [InlineData("epoll", 10_000, "PSUBSCRIBE", "n*")]
    [InlineData("epoll", 100_000, "SUBSCRIBE", "news")]
    [InlineData("sockets", 1000, "SUBSCRIBE", "news")]
    [InlineData("sockets", 100_000, "PSUBSCRIBE", "n*")]
    public void Subscribers_are_cut_off_at_their_limit_and_others_get_everything(
        string transport,
        int payloadBytes,
        string subscribe,
        string channel
    )
    {
        using var target = new FaultTarget(transport, Limits);
        int readers = FaultScale.Count(10, 100);
        using RespExchange reading = target.Connect();
        reading.ExecuteText(subscribe, channel);
        List<Socket> slow = Start(target, readers, FaultTarget.Pipeline(1, subscribe, channel));
        using RespExchange publisher = target.Connect();
        FaultTarget.Await(() => target.Info("pubsub_clients") == readers + 1, () => "All must have subscribed.");
        string payload = new('x', payloadBytes);
        const int batch = 20;
        byte[] request = FaultTarget.Pipeline(batch, "PUBLISH", "news", payload);
        AssertBounded(
            target,
            readers,
            LimitBytes,
            () =>
            {
                for (long sent = 0; sent < SentBytes; sent += batch * payloadBytes)
                {
                    publisher.Send(request);
                    for (int i = 0; i < batch; i++)
                        Assert.Equal((byte)':', publisher.ReadReply()![0]);
                    for (int i = 0; i < batch; i++)
                        Assert.EndsWith(payload + "\r\n", Encoding.ASCII.GetString(reading.ReadReply()!), StringComparison.Ordinal);
                }
            },
            () => target.Info("pubsub_clients") == 1
        );
        Assert.Equal(":1\r\n", publisher.ExecuteText("PUBLISH", "news", "last"));
        slow.ForEach(static each => each.Dispose());
        target.AwaitLog("output buffer limit");
        Assert.Equal(readers, target.Info("client_output_buffer_limit_disconnections"));
        target.AssertEndsWell();
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void Clients_that_track_keys_are_cut_off_at_their_limit(string transport)
    {
        using var target = new FaultTarget(transport, Limits);
        int readers = FaultScale.Count(10, 100);
        List<Socket> slow = Start(
            target,
            readers,
            [.. FaultTarget.Pipeline(1, "HELLO", "3"), .. FaultTarget.Pipeline(1, "CLIENT", "TRACKING", "ON", "BCAST")]
        );
        using RespExchange writer = target.Connect();
        FaultTarget.Await(() => target.Info("tracking_clients") == readers, () => "All must track.");
        const int batch = 100;
        // Of a key that changes several times at once, one change is told.
        string rest = new('k', 1000);
        byte[] request = [.. Enumerable.Range(0, batch).SelectMany(i => FaultTarget.Pipeline(1, "SET", $"{i}:{rest}", "v"))];
        AssertBounded(
            target,
            readers,
            LimitBytes,
            () =>
            {
                for (long sent = 0; sent < SentBytes; sent += batch * rest.Length)
                {
                    writer.Send(request);
                    for (int i = 0; i < batch; i++)
                        Assert.Equal("+OK\r\n"u8.ToArray(), writer.ReadReply());
                }
            },
            () => target.Info("tracking_clients") == 0
        );
        slow.ForEach(static each => each.Dispose());
        target.AwaitLog("output buffer limit");
        target.AssertEndsWell();
    }

    // Sends, then waits for the readers' end.
    private void AssertBounded(FaultTarget target, int readers, long limitBytes, Action send, Func<bool> haveEnded)
    {
        long before = target.ResidentBytes;
        target.ResetPeak();
        send();
        FaultTarget.Await(haveEnded, () => "The slow readers must be cut off.");
        long grown = target.PeakResidentBytes - before;
        output.WriteLine($"{readers} readers: {grown / Megabyte} MB at most");
        long allowed = (readers * limitBytes * 11 / 10) + (48 * Megabyte);
        Assert.True(grown <= allowed, $"{grown / Megabyte} MB for {readers} readers");
        target.AwaitResident(before + (96 * Megabyte));
        target.AssertAlive();
    }

    private static List<Socket> Start(FaultTarget target, int count, byte[] request)
    {
        var readers = new List<Socket>();
        for (int i = 0; i < count; i++)
        {
            Socket reader = target.ConnectSocket();
            readers.Add(reader);
            for (ReadOnlySpan<byte> rest = request; !rest.IsEmpty; )
                rest = rest[reader.Send(rest)..];
        }

        return readers;
    }
}
