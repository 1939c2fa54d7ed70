// The commands that subscribe, and what they change for a client.
using Xunit;

namespace Garnet.Server.Tests.Commands.PubSub;

public sealed class SubscriptionTests
{
    [Theory]
    [InlineData("", "subscribe", "unsubscribe")]
    [InlineData("P", "psubscribe", "punsubscribe")]
    [InlineData("S", "ssubscribe", "sunsubscribe")]
    public void Every_name_is_answered_by_itself(string letter, string word, string end)
    {
        using InProcessServer server = new();
        Assert.Equal(
            Answer("*", word, "a", 1) + Answer("*", word, "b", 2) + Answer("*", word, "a", 2),
            server.Call(letter + "SUBSCRIBE", "a", "b", "a")
        );
        Assert.Equal(Answer("*", end, "x", 2) + Answer("*", end, "a", 1), server.Call(letter + "UNSUBSCRIBE", "x", "a"));
        Assert.Equal(Answer("*", end, "b", 0), server.Call(letter + "UNSUBSCRIBE"));
        Assert.Equal($"*3\r\n{Replies.Bulk(end)}$-1\r\n:0\r\n", server.Call(letter + "UNSUBSCRIBE"));
        Assert.Equal("+PONG\r\n", server.Call("PING"));
    }

    [Fact]
    public void In_RESP2_a_subscriber_may_only_change_subscriptions_and_ping()
    {
        using InProcessServer server = new();
        server.Call("PSUBSCRIBE", "a*");
        Assert.Equal(
            "-ERR Can't execute 'client|id': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context\r\n",
            server.Call("CLIENT", "ID")
        );
        Assert.Equal(Replies.Bulks("pong", ""), server.Call("PING"));
        Assert.Equal(Replies.Bulks("pong", "hi"), server.Call("PING", "hi"));
        Assert.Equal("+RESET\r\n", server.Call("RESET"));
        Assert.Equal("+PONG\r\n", server.Call("PING"));
        Assert.Equal(Replies.Integer(0), server.Call("PUBLISH", "ab", "x"));
    }

    [Fact]
    public void In_RESP3_a_subscriber_may_do_everything_and_answers_are_pushes()
    {
        using InProcessServer server = new();
        InProcessClient client = server.Connect(3);
        Assert.Equal(Answer(">", "subscribe", "a", 1), client.Call("SUBSCRIBE", "a"));
        Assert.Equal(Replies.Ok, client.Call("SET", "k", "v"));
        Assert.Equal(":1\r\n>3\r\n" + Replies.Bulk("message") + Replies.Bulk("a") + Replies.Bulk("1"), client.Call("PUBLISH", "a", "1"));
        Assert.Equal($">3\r\n{Replies.Bulk("punsubscribe")}_\r\n:1\r\n", client.Call("PUNSUBSCRIBE"));
    }

    [Fact]
    public void Own_messages_follow_the_reply_of_their_command_and_of_EXEC()
    {
        using InProcessServer server = new();
        InProcessClient client = server.Connect(3);
        client.Call("SUBSCRIBE", "a");
        client.Send([
            .. InProcessClient.Request("PUBLISH", "a", "1"),
            .. InProcessClient.Request("ECHO", "x"),
            .. InProcessClient.Request("MULTI"),
            .. InProcessClient.Request("PUBLISH", "a", "2"),
            .. InProcessClient.Request("UNSUBSCRIBE", "a"),
            .. InProcessClient.Request("PUBLISH", "a", "3"),
            .. InProcessClient.Request("EXEC"),
        ]);
        string message = ">3\r\n" + Replies.Bulk("message") + Replies.Bulk("a");
        Assert.Equal(
            ":1\r\n"
                + message
                + Replies.Bulk("1")
                + Replies.Bulk("x")
                + "+OK\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n*3\r\n:1\r\n"
                + Answer(">", "unsubscribe", "a", 0)
                + ":0\r\n"
                + message
                + Replies.Bulk("2"),
            client.Receive()
        );
    }

    [Fact]
    public void Messages_and_answers_are_sent_even_while_replies_are_off()
    {
        using InProcessServer server = new();
        InProcessClient client = server.Connect(3);
        client.Call("SUBSCRIBE", "a");
        client.Call("CLIENT", "REPLY", "OFF");
        Assert.Equal(">3\r\n" + Replies.Bulk("message") + Replies.Bulk("a") + Replies.Bulk("1"), client.Call("PUBLISH", "a", "1"));
        Assert.Equal(Answer(">", "subscribe", "b", 2), client.Call("SUBSCRIBE", "b"));
        Assert.Equal("", client.Call("PING"));
        client.Call("CLIENT", "REPLY", "ON");
        client.Call("CLIENT", "REPLY", "SKIP");
        Assert.Equal(Answer(">", "subscribe", "c", 3), client.Call("SUBSCRIBE", "c"));
        Assert.Equal("+PONG\r\n", client.Call("PING"));
    }

    [Fact]
    public void SSUBSCRIBE_is_refused_in_a_transaction()
    {
        using InProcessServer server = new();
        server.Call("MULTI");
        server.Call("SSUBSCRIBE", "a");
        Assert.Equal("*1\r\n-ERR SSUBSCRIBE isn't allowed for a DENY BLOCKING client\r\n", server.Call("EXEC"));
    }

    [Fact]
    public void PUBSUB_reports_channels_patterns_and_counts()
    {
        using InProcessServer server = new();
        InProcessClient first = server.Connect(),
            second = server.Connect();
        first.Call("SUBSCRIBE", "a");
        second.Call("SUBSCRIBE", "a");
        second.Call("PSUBSCRIBE", "x*", "y*");
        first.Call("SSUBSCRIBE", "s");
        Assert.Equal(Replies.Bulks("a"), server.Call("PUBSUB", "CHANNELS"));
        Assert.Equal("*0\r\n", server.Call("PUBSUB", "CHANNELS", "b*"));
        Assert.Equal("*4\r\n$1\r\na\r\n:2\r\n$1\r\nb\r\n:0\r\n", server.Call("PUBSUB", "NUMSUB", "a", "b"));
        Assert.Equal(":2\r\n", server.Call("PUBSUB", "NUMPAT"));
        Assert.Equal(Replies.Bulks("s"), server.Call("PUBSUB", "SHARDCHANNELS"));
        Assert.Equal("*2\r\n$1\r\ns\r\n:1\r\n", server.Call("PUBSUB", "SHARDNUMSUB", "s"));
        Assert.Contains(
            "pubsub_channels:1\r\npubsub_patterns:2\r\npubsubshard_channels:1\r\n",
            server.Call("INFO", "stats"),
            StringComparison.Ordinal
        );
        Assert.Contains("pubsub_clients:2\r\n", server.Call("INFO", "clients"), StringComparison.Ordinal);
        first.Dispose();
        second.Dispose();
        Assert.Equal("*0\r\n", server.Call("PUBSUB", "CHANNELS"));
        Assert.Equal(":0\r\n", server.Call("PUBSUB", "NUMPAT"));
    }

    [Fact]
    public void CLIENT_LIST_shows_and_selects_subscribers()
    {
        using InProcessServer server = new();
        InProcessClient client = server.Connect();
        client.Call("SUBSCRIBE", "a", "b");
        client.Call("PSUBSCRIBE", "a");
        client.Call("SSUBSCRIBE", "a");
        string list = server.Call("CLIENT", "LIST", "TYPE", "pubsub");
        Assert.Contains($"id={client.Session.Id} ", list, StringComparison.Ordinal);
        Assert.Contains(" flags=P ", list, StringComparison.Ordinal);
        Assert.Contains(" sub=2 psub=1 ssub=1 ", list, StringComparison.Ordinal);
        Assert.Equal(":1\r\n", server.Call("CLIENT", "KILL", "TYPE", "pubsub"));
        Assert.True(client.Session.End.IsForced);
    }

    [Fact]
    public void The_idle_timeout_spares_subscribers()
    {
        using InProcessServer server = new(options => options.TimeoutSeconds = 10);
        InProcessClient subscriber = server.Connect(3),
            idle = server.Connect(3);
        subscriber.Call("SUBSCRIBE", "a");
        server.Clock.Advance(TimeSpan.FromSeconds(60));
        server.Server.Clients.EndIdle(server.NowMs, 10);
        Assert.True(idle.Session.End.IsForced);
        Assert.False(subscriber.Session.End.IsForced);
    }

    [Fact]
    public void A_message_reaches_a_client_that_is_blocked_by_a_command()
    {
        using InProcessServer server = new();
        InProcessClient client = server.Connect(3);
        client.Call("SUBSCRIBE", "a");
        client.Send(InProcessClient.Request("BLPOP", "list", "0"));
        server.Call("PUBLISH", "a", "1");
        string received = "";
        Assert.True(SpinWait.SpinUntil(() => (received += client.Receive()).Length > 0, TimeSpan.FromMinutes(2)));
        Assert.Equal(">3\r\n" + Replies.Bulk("message") + Replies.Bulk("a") + Replies.Bulk("1"), received);
    }

    private static string Answer(string type, string word, string name, int count) =>
        $"{type}3\r\n{Replies.Bulk(word)}{Replies.Bulk(name)}{Replies.Integer(count)}";
}
