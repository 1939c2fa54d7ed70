// Publishing and subscribing by the application itself. Each test has its own server.
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Messages;

public sealed class LocalMessageTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly TestServer _server = TestServer.Start();

    private IGarnet Garnet => _server.Server.InProcess;

    public void Dispose() => _server.Dispose();

    [Fact]
    public async Task Messages_of_clients_and_of_the_application_arrive_in_order()
    {
        using GarnetSubscription subscription = Garnet.Subscribe("news");
        using RespExchange client = _server.Connect();
        Assert.Equal(":1\r\n", client.ExecuteText("PUBLISH", "news", "1"));
        Assert.Equal(1, Garnet.Publish("news", "2"));
        Assert.Equal(1, await Garnet.PublishAsync("news"u8.ToArray(), Encoding.UTF8.GetBytes("3" + new string('x', 50_000))));
        Assert.Equal(0, Garnet.Publish("other", "4"));
        List<GarnetMessage> received = await TakeAsync(subscription, 3);
        Assert.Equal(["1", "2", "3" + new string('x', 50_000)], received.Select(message => message.Text));
        Assert.All(received, message => Assert.Equal("news", message.ChannelName));
    }

    [Fact]
    public async Task Clients_receive_what_the_application_publishes()
    {
        using RespExchange client = _server.Connect();
        client.Execute("SUBSCRIBE", "news");
        Assert.Equal(1, await Garnet.PublishAsync("news", "hello"));
        Assert.Equal("*3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$5\r\nhello\r\n"u8.ToArray(), client.ReadReply());
    }

    [Fact]
    public async Task A_pattern_gives_the_channels_that_match()
    {
        using GarnetSubscription subscription = Garnet.SubscribePattern("n*s");
        Garnet.Publish("news", "1");
        Garnet.Publish("nothing", "2");
        Garnet.Publish("ns", "3");
        Assert.Equal(["news", "ns"], (await TakeAsync(subscription, 2)).Select(message => message.ChannelName));
    }

    [Fact]
    public async Task A_handler_is_called_for_one_message_at_a_time()
    {
        List<string> handled = [];
        TaskCompletionSource done = new(TaskCreationOptions.RunContinuationsAsynchronously);
        using GarnetSubscription subscription = Garnet.Subscribe(
            "news",
            async message =>
            {
                await Task.Yield();
                handled.Add(message.Text);
                if (handled.Count == 100)
                    done.SetResult();
            }
        );
        for (int i = 0; i < 100; i++)
            Garnet.Publish("news", $"{i}");
        await done.Task.WaitAsync(Patience);
        Assert.Equal(Enumerable.Range(0, 100).Select(i => $"{i}"), handled);
    }

    [Theory]
    [InlineData(SlowReaderPolicy.DropOldest, new[] { "8", "9" })]
    [InlineData(SlowReaderPolicy.DropNewest, new[] { "0", "1" })]
    public async Task A_full_buffer_drops_what_its_policy_says(SlowReaderPolicy policy, string[] kept)
    {
        using GarnetSubscription subscription = Garnet.Subscribe("news", new SubscriptionOptions { Capacity = 2, WhenFull = policy });
        for (int i = 0; i < 10; i++)
            Garnet.Publish("news", $"{i}");
        Assert.True(SpinWait.SpinUntil(() => subscription.Dropped == 8, Patience));
        Assert.Equal(kept, (await TakeAsync(subscription, 2)).Select(message => message.Text));
    }

    [Fact]
    public async Task A_full_buffer_may_end_the_subscription()
    {
        using GarnetSubscription subscription = Garnet.Subscribe(
            "news",
            new SubscriptionOptions { Capacity = 1, WhenFull = SlowReaderPolicy.End }
        );
        Garnet.Publish("news", "1");
        Garnet.Publish("news", "2");
        Assert.True(SpinWait.SpinUntil(() => Garnet.Publish("news", "3") == 0, Patience));
        await using IAsyncEnumerator<GarnetMessage> reader = subscription.GetAsyncEnumerator();
        Assert.True(await reader.MoveNextAsync());
        Assert.Equal("1", reader.Current.Text);
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await reader.MoveNextAsync());
    }

    [Fact]
    public async Task Disposal_ends_the_enumeration_and_the_subscription()
    {
        GarnetSubscription subscription = Garnet.Subscribe("news");
        Garnet.Publish("news", "1");
        await TakeAsync(subscription, 1);
        subscription.Dispose();
        Assert.Equal(0, Garnet.Publish("news", "2"));
        Assert.Empty(await TakeAsync(subscription, 1));
    }

    [Fact]
    public async Task The_end_of_the_server_ends_a_subscription()
    {
        using var server = TestServer.Start();
        using GarnetSubscription subscription = server.Server.InProcess.Subscribe("news");
        await server.Server.StopAsync();
        Assert.Empty(await TakeAsync(subscription, 1));
    }

    [Fact]
    public void A_buffer_holds_at_least_one_message() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => Garnet.Subscribe("news", new SubscriptionOptions { Capacity = 0 }));

    private static async Task<List<GarnetMessage>> TakeAsync(GarnetSubscription subscription, int count)
    {
        using CancellationTokenSource patience = new(Patience);
        List<GarnetMessage> received = [];
        await foreach (GarnetMessage message in subscription.WithCancellation(patience.Token))
        {
            received.Add(message);
            if (received.Count == count)
                break;
        }

        return received;
    }
}
