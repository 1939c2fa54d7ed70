// Publishers and subscribers on several I/O threads at once. Each test has its own server.
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Garnet.EndToEnd.Tests.Differential;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Messages;

public sealed class ConcurrentMessageTests(ITestOutputHelper output)
{
    private const int Publishers = 3;
    private const int MessagesEach = 3000;

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    public async Task Each_publishers_messages_arrive_complete_and_in_order(int threads)
    {
        using var server = TestServer.Start(options => options.IoThreads = threads);
        RespExchange[] subscribers = [.. Enumerable.Range(0, 8).Select(_ => server.Connect())];
        for (int i = 0; i < subscribers.Length; i++)
        {
            if (i % 2 == 1)
                subscribers[i].Execute("HELLO", "3");
            subscribers[i].Execute(i % 4 < 2 ? "SUBSCRIBE" : "PSUBSCRIBE", i % 4 < 2 ? "news" : "n*");
        }

        Task[] publishing = [.. Enumerable.Range(0, Publishers).Select(publisher => Task.Run(() => Publish(server, publisher)))];
        Task[] reading = [.. subscribers.Select(subscriber => Task.Run(() => ReadInOrder(subscriber)))];
        await Task.WhenAll([.. publishing, .. reading]);
        foreach (RespExchange subscriber in subscribers)
            subscriber.Dispose();
    }

    [Fact]
    public async Task Histories_of_subscribing_publishing_and_resets_leave_nothing_behind()
    {
        int seed = TestSeed.Choose(output, 77_100);
        using var server = TestServer.Start(options => options.IoThreads = 4);
        await Task.WhenAll(Enumerable.Range(0, 6).Select(client => Task.Run(() => Live(server, new Random(seed + client)))));
        using RespExchange last = server.Connect();
        string[] left = [];
        // Connections that were reset end on other threads.
        Assert.True(
            SpinWait.SpinUntil(
                () =>
                    (left = Left()) is [.., "*0\r\n", "*0\r\n", ":0\r\n"]
                    && left[0].Contains("pubsub_clients:0\r\n", StringComparison.Ordinal),
                30_000
            ),
            string.Concat(left)
        );

        string[] Left() =>
            [
                last.ExecuteText("INFO", "clients"),
                last.ExecuteText("PUBSUB", "CHANNELS"),
                last.ExecuteText("PUBSUB", "SHARDCHANNELS"),
                last.ExecuteText("PUBSUB", "NUMPAT"),
            ];
    }

    [Fact]
    public void Subscribers_that_reset_their_connection_do_not_disturb_others()
    {
        using var server = TestServer.Start(options => options.IoThreads = 2);
        using RespExchange publisher = server.Connect();
        using RespExchange stays = server.Connect();
        stays.Execute("SUBSCRIBE", "a");
        string payload = new('x', 40_000);
        for (int round = 0; round < 20; round++)
        {
            using (var leaves = new Socket(SocketType.Stream, ProtocolType.Tcp) { LingerState = new LingerOption(true, 0) })
            {
                leaves.Connect(server.EndPoint);
                leaves.Send("SUBSCRIBE a\r\n"u8);
                leaves.Receive(new byte[100]);
                for (int i = 0; i < 5; i++)
                    publisher.Execute("PUBLISH", "a", payload);
            }

            for (int i = 0; i < 5; i++)
                Assert.Equal(payload, RespNode.Parse(stays.ReadReply()!).Children![2].Text);
        }

        SpinWait.SpinUntil(() => publisher.ExecuteText("PUBSUB", "NUMSUB", "a").EndsWith(":1\r\n", StringComparison.Ordinal), 120_000);
        Assert.Equal(":1\r\n", publisher.ExecuteText("PUBLISH", "a", "x"));
    }

    [Theory]
    [InlineData("4mb 0 0", 1000)]
    [InlineData("4mb 0 0", 50_000)]
    [InlineData("0 1mb 1", 1000)]
    public void A_subscriber_that_reads_nothing_is_cut_at_its_limit_and_others_go_on(string limit, int payloadBytes)
    {
        using var server = TestServer.Start(options => options.IoThreads = 2);
        using RespExchange publisher = server.Connect();
        Assert.Equal("+OK\r\n", publisher.ExecuteText("CONFIG", "SET", "client-output-buffer-limit", $"pubsub {limit}"));
        using RespExchange stays = server.Connect();
        stays.Execute("SUBSCRIBE", "a");
        using var slow = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 4096 };
        slow.Connect(server.EndPoint);
        slow.Send("SUBSCRIBE a\r\n"u8);
        slow.Receive(new byte[100]);
        string payload = new('x', payloadBytes);
        var patience = System.Diagnostics.Stopwatch.StartNew();
        int published = 0;
        while (publisher.ExecuteText("PUBLISH", "a", payload) == ":2\r\n")
        {
            published++;
            Assert.Equal(payload, RespNode.Parse(stays.ReadReply()!).Children![2].Text);
            Assert.True(patience.Elapsed < TimeSpan.FromSeconds(60), "The slow subscriber must be cut off.");
        }

        Assert.True(published * (long)payloadBytes >= 1 << 20, $"{published} messages");
        // It is counted on another thread.
        string stats = "";
        bool isCounted = SpinWait.SpinUntil(
            () =>
                (stats = publisher.ExecuteText("INFO", "stats")).Contains(
                    "client_output_buffer_limit_disconnections:1\r\n",
                    StringComparison.Ordinal
                ),
            30_000
        );
        Assert.True(isCounted, stats);
    }

    private static void Publish(TestServer server, int publisher)
    {
        using RespExchange connection = server.Connect();
        for (int i = 0; i < MessagesEach; i += 20)
        {
            using var request = new MemoryStream();
            for (int j = i; j < i + 20; j++)
            {
                RespExchange.Encode(
                    request,
                    ["PUBLISH"u8.ToArray(), "news"u8.ToArray(), Encoding.ASCII.GetBytes($"{publisher}:{j}:{Padding(j)}")]
                );
            }

            connection.Send(request.ToArray());
            for (int j = i; j < i + 20; j++)
                Assert.Equal(":8\r\n"u8.ToArray(), connection.ReadReply());
        }
    }

    // Some are large enough to be referenced instead of copied.
    private static string Padding(int message) => new('p', message % 50 == 7 ? 20_000 : message % 100);

    private static void ReadInOrder(RespExchange subscriber)
    {
        int[] next = new int[Publishers];
        for (int i = 0; i < Publishers * MessagesEach; i++)
        {
            string payload = RespNode.Parse(subscriber.ReadReply()!).Children![^1].Text;
            string[] parts = payload.Split(':');
            int publisher = int.Parse(parts[0], CultureInfo.InvariantCulture);
            Assert.Equal(next[publisher]++, int.Parse(parts[1], CultureInfo.InvariantCulture));
            Assert.Equal(Padding(next[publisher] - 1), parts[2]);
        }
    }

    // Replies cannot be told apart here; what counts is that the server survives and forgets all of it.
    private static void Live(TestServer server, Random random)
    {
        for (int life = 0; life < 12; life++)
        {
            using RespExchange connection = server.Connect();
            connection.Execute("HELLO", random.Next(2) == 0 ? "2" : "3");
            using var request = new MemoryStream();
            for (int i = 0; i < 400; i++)
            {
                string[] words = random.Next(8) switch
                {
                    0 => ["SUBSCRIBE", $"c{random.Next(5)}", $"c{random.Next(5)}"],
                    1 => ["PSUBSCRIBE", $"c{random.Next(5)}*"],
                    2 => ["SSUBSCRIBE", $"c{random.Next(5)}"],
                    3 => [new[] { "UNSUBSCRIBE", "PUNSUBSCRIBE", "SUNSUBSCRIBE" }[random.Next(3)]],
                    4 => ["UNSUBSCRIBE", $"c{random.Next(5)}"],
                    5 => random.Next(4) == 0 ? ["RESET"] : ["PING"],
                    _ => ["PUBLISH", $"c{random.Next(5)}", new string('x', random.Next(20) == 0 ? 20_000 : 10)],
                };
                RespExchange.Encode(request, [.. words.Select(Encoding.ASCII.GetBytes)]);
            }

            RespExchange.Encode(request, ["QUIT"u8.ToArray()]);
            connection.Send(request.ToArray());
            while (random.Next(500) != 0 && connection.ReadReply() is not null)
            {
                // Reads to the end, or leaves early.
            }
        }
    }
}
