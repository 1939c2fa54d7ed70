// How messages reach clients on their own and on other threads. The test's thread is the I/O thread of the subscribers.
using System.Globalization;
using Garnet.Server.Messaging;
using Garnet.Server.Tests.Commands;
using Xunit;

namespace Garnet.Server.Tests.Messaging;

public sealed class DeliveryTests
{
    private readonly InProcessOwner _thread = new(0);

    [Fact]
    public void A_message_arrives_with_the_next_round_of_the_subscribers_thread()
    {
        using InProcessServer server = new();
        InProcessClient two = Subscribe(server, 2, "news");
        InProcessClient three = Subscribe(server, 3, "news");
        Assert.Equal(Replies.Integer(2), server.Call("PUBLISH", "news", "hello"));
        Assert.Equal("", two.Receive());
        _thread.RunRound();
        string message = "3\r\n" + Replies.Bulk("message") + Replies.Bulk("news") + Replies.Bulk("hello");
        Assert.Equal("*" + message, two.Receive());
        Assert.Equal(">" + message, three.Receive());
    }

    [Fact]
    public void A_pipeline_of_messages_wakes_the_thread_once()
    {
        using InProcessServer server = new();
        InProcessClient client = Subscribe(server, 3, "a");
        int posts = _thread.Posted;
        server.Client.Send([.. Enumerable.Range(0, 100).SelectMany(i => InProcessClient.Request("PUBLISH", "a", $"{i}"))]);
        Assert.Equal(posts + 1, _thread.Posted);
        _thread.RunRound();
        Assert.Equal(string.Concat(Enumerable.Range(0, 100).Select(i => Message(">3", "a", $"{i}"))), client.Receive());
    }

    [Fact]
    public void A_subscriber_is_flushed_right_after_its_last_message_so_that_one_buffer_serves_all()
    {
        using InProcessServer server = new();
        List<string> calls = [];
        foreach (string name in (string[])["one", "two"])
        {
            RecordingSubscriber subscriber = new(name, calls);
            server.Server.Messages.Subscribe(subscriber, TopicKind.Channel, "first"u8);
            server.Server.Messages.Subscribe(subscriber, TopicKind.Channel, "last"u8);
        }

        server.Call("PUBLISH", "last", "1");
        Assert.Equal(["receive", "flush", "receive", "flush"], calls.Select(Verb));
        Assert.Equal(2, calls.Where(call => Verb(call) == "flush").Distinct().Count());
        calls.Clear();
        server.Client.Send([.. InProcessClient.Request("PUBLISH", "first", "2"), .. InProcessClient.Request("PUBLISH", "last", "3")]);
        Assert.Equal(["receive", "receive", "receive", "receive", "flush", "flush"], calls.Select(Verb));

        static string Verb(string call) => call.Split(' ')[0];
    }

    [Fact]
    public void What_was_published_before_a_request_arrives_before_its_reply()
    {
        using InProcessServer server = new();
        InProcessClient client = Subscribe(server, 3, "a");
        server.Call("PUBLISH", "a", "1");
        Assert.Equal(Message(">3", "a", "1") + "+PONG\r\n", client.Call("PING"));
    }

    [Fact]
    public void What_was_published_before_a_subscription_began_or_after_it_ended_does_not_arrive()
    {
        using InProcessServer server = new();
        InProcessClient first = Subscribe(server, 3, "a");
        InProcessClient second = server.Connect(3, new InProcessConnection { Owner = _thread });
        server.Call("PUBLISH", "a", "early");
        Assert.Equal(">3\r\n" + Replies.Bulk("subscribe") + Replies.Bulk("a") + ":1\r\n", second.Call("SUBSCRIBE", "a"));
        Assert.Equal(Message(">3", "a", "early"), first.Receive());
        server.Call("PUBLISH", "a", "both");
        Assert.Equal(
            Message(">3", "a", "both") + ">3\r\n" + Replies.Bulk("unsubscribe") + Replies.Bulk("a") + ":0\r\n",
            second.Call("UNSUBSCRIBE", "a")
        );
        server.Call("PUBLISH", "a", "late");
        _thread.RunRound();
        Assert.Equal("", second.Receive());
        Assert.Equal(Message(">3", "a", "both") + Message(">3", "a", "late"), first.Receive());
    }

    [Fact]
    public void While_a_threads_rounds_do_not_come_publishers_fill_the_clients_queues_and_the_hard_limit_holds()
    {
        const int Limit = 10_000_000;
        using InProcessServer server = new();
        server.Call("CONFIG", "SET", "client-output-buffer-limit", $"pubsub {Limit} 0 0");
        InProcessClient client = Subscribe(server, 3, "a");
        string payload = new('x', 10_000);
        int sent = 0;
        for (; sent < 5000 && !client.Session.End.IsForced; sent++)
        {
            server.Call("PUBLISH", "a", payload);
            Assert.InRange(server.Server.Messages.QueuedBytes, 0, Garnet.Server.Messaging.DeliveryLane.MaxFrameBytes + 20_000);
        }

        Assert.InRange(sent, Limit / 10_100, (Limit / 10_000) + 500);
        Assert.InRange(client.Session.Output.Messages!.Bytes, 0, Limit + Garnet.Server.Messaging.DeliveryLane.MaxFrameBytes + 20_000);
    }

    [Fact]
    public void Messages_that_a_publisher_delivered_come_before_later_ones()
    {
        using InProcessServer server = new();
        InProcessClient client = Subscribe(server, 2, "a");
        string payload = new('x', 15_000);
        const int Count = 1000;
        for (int i = 0; i < Count; i++)
            server.Call("PUBLISH", "a", i.ToString(CultureInfo.InvariantCulture) + payload);
        for (int i = 0; i < 10; i++)
            _thread.RunRound();
        string received = client.Receive();
        Assert.Equal(string.Concat(Enumerable.Range(0, Count).Select(i => Message("*3", "a", i + payload))), received);
    }

    [Theory]
    [InlineData(16 * 1024)]
    [InlineData(300_000)]
    public void A_large_payload_arrives_whole_and_its_block_is_freed(int length)
    {
        using InProcessServer server = new();
        long before = server.Store.Statistics.LiveBlockBytes;
        InProcessClient own = Subscribe(server, 3, "a");
        InProcessClient busy = server.Connect(2);
        busy.Call("SUBSCRIBE", "a");
        string payload = new('p', length);
        server.Call("PUBLISH", "a", payload);
        _thread.RunRound();
        Assert.Equal(Message(">3", "a", payload), own.Receive());
        Assert.Equal(Message("*3", "a", payload), Later.ReceiveUntilReady(busy));
        Assert.True(SpinWait.SpinUntil(() => server.Store.Statistics.LiveBlockBytes == before, TimeSpan.FromMinutes(2)));
    }

    [Fact]
    public void A_client_that_has_left_gives_back_the_payloads_it_never_read()
    {
        using InProcessServer server = new();
        InProcessClient client = Subscribe(server, 3, "a");
        client.Send(InProcessClient.Request("BLPOP", "nothing", "0"));
        client.Session.Output.Deliver([1], default);
        server.Call("PUBLISH", "a", new string('x', 100_000));
        _thread.RunRound();
        client.Dispose();
        Assert.Equal(0, server.Server.Messages.CountOf(Garnet.Server.Messaging.TopicKind.Channel));
        Assert.Equal(0, server.Store.Statistics.LiveBlockBytes);
    }

    [Fact]
    public void A_client_with_very_many_subscriptions_leaves_in_the_background()
    {
        using InProcessServer server = new();
        InProcessClient client = server.Connect(3, new InProcessConnection { Owner = _thread });
        client.Call([.. Enumerable.Range(0, 100_000).Select(i => $"channel-{i}").Prepend("SUBSCRIBE")]);
        Assert.Equal(100_000, server.Server.Messages.CountOf(Garnet.Server.Messaging.TopicKind.Channel));
        client.Dispose();
        Assert.True(
            SpinWait.SpinUntil(
                () => server.Server.Messages.CountOf(Garnet.Server.Messaging.TopicKind.Channel) == 0,
                TimeSpan.FromSeconds(60)
            )
        );
        Assert.Equal(Replies.Integer(0), server.Call("PUBLISH", "channel-5", "x"));
    }

    [Fact]
    public void The_subscriptions_of_a_connection_that_moves_follow_it_and_no_message_is_lost_or_arrives_twice()
    {
        const int Topics = 1200;
        using InProcessServer server = new();
        InProcessOwner other = new(1);
        InProcessClient stays = server.Connect(3, new InProcessConnection { Owner = _thread });
        InProcessClient moves = server.Connect(3, new InProcessConnection { Owner = _thread });
        string[] names = [.. Enumerable.Range(0, Topics).Select(i => $"c{i}")];
        stays.Call(["SUBSCRIBE", .. names]);
        moves.Call(["SUBSCRIBE", .. names]);
        moves.Call("PSUBSCRIBE", "none");
        moves.Connection.Owner = other;
        string expected = "",
            received = "";
        for (int round = 0; round < 40; round++)
        {
            string name = names[round * 29 % Topics];
            Assert.Equal(Replies.Integer(2), server.Call("PUBLISH", name, $"{round}"));
            expected += Message(">3", name, $"{round}");
            _thread.RunRound();
            if (round % 3 == 0)
                other.RunRound();
            received += moves.Receive();
        }

        for (int round = 0; round < 20; round++)
        {
            _thread.RunRound();
            other.RunRound();
        }

        Assert.Equal(expected, received + moves.Receive());
        Assert.Equal(expected, stays.Receive());
        Assert.Equal(1, moves.Session.Subscriber!.Lane!.OwnerId);
        Assert.Null(moves.Session.Subscriber!.FormerLane);
        moves.Call("UNSUBSCRIBE");
        Assert.Equal(Replies.Integer(1), server.Call("PUBLISH", "c7", "last"));
    }

    private static string Message(string head, string channel, string payload) =>
        head + "\r\n" + Replies.Bulk("message") + Replies.Bulk(channel) + Replies.Bulk(payload);

    private InProcessClient Subscribe(InProcessServer server, int protocol, string channel)
    {
        InProcessClient client = server.Connect(protocol, new InProcessConnection { Owner = _thread });
        client.Call("SUBSCRIBE", channel);
        return client;
    }

    // Delivered to at once, on the publisher's thread.
    private sealed class RecordingSubscriber(string name, List<string> calls) : Subscriber
    {
        public override int OwnerId => 7;

        public override void Post(Action<object?> action, object? state) => action(state);

        public override int Receive(ref Delivery delivery)
        {
            calls.Add($"receive {name}");
            return delivery.Bytes.Length;
        }

        public override void Flush() => calls.Add($"flush {name}");
    }
}
