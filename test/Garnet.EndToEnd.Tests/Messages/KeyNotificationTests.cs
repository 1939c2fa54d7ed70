// Notifications about keys from outside: an option at the start, writes and subscriptions of the application.
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Messages;

public sealed class KeyNotificationTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    [Fact]
    public void The_command_line_selects_events()
    {
        using var server = GarnetProcess.Start("--notify-keyspace-events", "Ex$");
        using var subscriber = RespExchange.Connect(server.EndPoint);
        using var client = RespExchange.Connect(server.EndPoint);
        subscriber.Execute("PSUBSCRIBE", "__key*__:*");
        client.Execute("SET", "key", "value", "PX", "1");
        Assert.Equal(Message("__keyevent@0__:set", "key"), Read(subscriber));
        Assert.Equal(Message("__keyevent@0__:expired", "key"), Read(subscriber));
        Assert.Contains("$3\r\n$xE\r\n", client.ExecuteText("CONFIG", "GET", "notify-keyspace-events"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_application_writes_and_receives_events()
    {
        using var server = TestServer.Start(static options => options.NotifyKeyspaceEvents = "KEA");
        IGarnet garnet = server.Server.InProcess;
        using RespExchange client = server.Connect();
        client.Execute("SUBSCRIBE", "__keyevent@0__:set");
        using GarnetSubscription subscription = garnet.SubscribePattern("__keyspace@0__:user:*");
        garnet.Set("user:1", "Ada"u8);
        garnet.Delete("user:1");
        Assert.Equal("*3\r\n$7\r\nmessage\r\n$18\r\n__keyevent@0__:set\r\n$6\r\nuser:1\r\n"u8.ToArray(), client.ReadReply());
        List<string> received = [];
        using CancellationTokenSource patience = new(Patience);
        await foreach (GarnetMessage message in subscription.WithCancellation(patience.Token))
        {
            received.Add($"{message.ChannelName} {message.Text}");
            if (received.Count == 2)
                break;
        }

        Assert.Equal(["__keyspace@0__:user:1 set", "__keyspace@0__:user:1 del"], received);
    }

    private static string Message(string channel, string payload) =>
        $"*4\r\n$8\r\npmessage\r\n$10\r\n__key*__:*\r\n${channel.Length}\r\n{channel}\r\n${payload.Length}\r\n{payload}\r\n";

    private static string Read(RespExchange subscriber) => System.Text.Encoding.ASCII.GetString(subscriber.ReadReply()!);
}
