// Two ASP.NET SignalR hosts whose backplane is the server. Each test has a server of its own.
using System.Diagnostics;
using Garnet.Testing;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Client;
using StackExchange.Redis;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.DotNetClients.Tests;

public sealed class SignalRBackplaneTests(ITestOutputHelper output)
{
    private const int Rounds = 10;
    private const int Groups = 8;
    private const int ConnectionsOfUser = 4;
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    [Theory]
    [MemberData(nameof(StackExchangeRedisTypesTests.Protocols), MemberType = typeof(StackExchangeRedisTypesTests))]
    public async Task Nothing_is_lost_between_two_hosts(RedisProtocol protocol)
    {
        using var server = TestServer.Start();
        await using SignalRHost left = await SignalRHost.StartAsync(Backplane(server, protocol));
        await using SignalRHost right = await SignalRHost.StartAsync(Backplane(server, protocol));
        SignalRHost[] hosts = [left, right];
        int connections = FaultScale.Count(48, 10_000);
        var receivers = new Receiver[connections];
        try
        {
            await ConnectAsync(hosts, receivers);
            string[] expected = await SendRoundsAsync(hosts, receivers);
            output.WriteLine(
                $"{connections} connections, {expected.Length} messages, {receivers.Sum(static each => each.Expected.Count)} deliveries"
            );
            foreach (Receiver receiver in receivers)
                await receiver.CheckAsync();
            using RespExchange asking = server.Connect();
            Assert.Contains("pubsub_clients:2\r\n", asking.ExecuteText("INFO", "clients"), StringComparison.Ordinal);
        }
        finally
        {
            await Parallel.ForEachAsync(receivers.Where(static each => each is not null), async (each, _) => await each.DisposeAsync());
        }
    }

    // For as long as other full runs fuzz: ten minutes.
    [FullRunFact]
    public async Task Nothing_is_lost_while_two_thousand_connections_receive_for_minutes()
    {
        using var server = TestServer.Start();
        await using SignalRHost left = await SignalRHost.StartAsync(Backplane(server, RedisProtocol.Resp3));
        await using SignalRHost right = await SignalRHost.StartAsync(Backplane(server, RedisProtocol.Resp3));
        SignalRHost[] hosts = [left, right];
        var receivers = new Receiver[2000];
        long deliveries = 0;
        var watch = Stopwatch.StartNew();
        try
        {
            await ConnectAsync(hosts, receivers);
            while (watch.Elapsed < FaultScale.FuzzTime)
            {
                await SendRoundsAsync(hosts, receivers);
                foreach (Receiver receiver in receivers)
                    await receiver.CheckAsync();
                deliveries += receivers.Sum(static each => each.Expected.Count);
                foreach (Receiver receiver in receivers)
                    receiver.Forget();
            }
        }
        finally
        {
            output.WriteLine($"{deliveries} deliveries in {watch.Elapsed.TotalSeconds:F0} s");
            await Parallel.ForEachAsync(receivers.Where(static each => each is not null), async (each, _) => await each.DisposeAsync());
        }
    }

    [Fact]
    public async Task A_group_that_is_left_and_a_user_that_is_gone_get_nothing()
    {
        using var server = TestServer.Start();
        await using SignalRHost left = await SignalRHost.StartAsync(Backplane(server, RedisProtocol.Resp2));
        await using SignalRHost right = await SignalRHost.StartAsync(Backplane(server, RedisProtocol.Resp2));
        await using Receiver stays = await Receiver.ConnectAsync(right, 0);
        Receiver goes = await Receiver.ConnectAsync(right, 8);
        await stays.LeaveAsync();
        await left.Context.Clients.Group(stays.Group).SendAsync("message", 0, "to the group that was left");
        await left.Context.Clients.All.SendAsync("message", 0, "to all");
        stays.Expected.Add((0, "to all"));
        await stays.CheckAsync();
        string user = goes.User;
        await goes.DisposeAsync();
        using RespExchange asking = server.Connect();
        string[] channels = asking.ExecuteText("PUBSUB", "CHANNELS").Split("\r\n");
        // The host unsubscribes when it has noticed the end of the connection.
        for (int i = 0; channels.Any(channel => channel.EndsWith(":user:" + user, StringComparison.Ordinal)); i++)
        {
            Assert.True(i < 3000, "the channel of a user that is gone stays");
            await Task.Delay(10);
            channels = asking.ExecuteText("PUBSUB", "CHANNELS").Split("\r\n");
        }

        Assert.Contains(channels, channel => channel.EndsWith(":user:" + stays.User, StringComparison.Ordinal));
        Assert.DoesNotContain(channels, channel => channel.EndsWith(":group:" + stays.Group, StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_backplane_works_again_after_its_connections_were_killed()
    {
        using var server = TestServer.Start();
        await using SignalRHost left = await SignalRHost.StartAsync(Backplane(server, RedisProtocol.Resp2));
        await using SignalRHost right = await SignalRHost.StartAsync(Backplane(server, RedisProtocol.Resp2));
        await using Receiver onLeft = await Receiver.ConnectAsync(left, 0);
        await using Receiver onRight = await Receiver.ConnectAsync(right, 1);
        using RespExchange killer = server.Connect();
        Assert.Equal(":2\r\n", killer.ExecuteText("CLIENT", "KILL", "TYPE", "pubsub"));
        killer.ExecuteText("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        // What is sent while a subscriber is away is lost: nothing is kept for it. Once the hosts are back, all that was subscribed is.
        for (
            int i = 0;
            !onLeft.Received.Any(static each => each.Sender == 1) || !onRight.Received.Any(static each => each.Sender == 0);
            i++
        )
        {
            Assert.True(i < 3000, "messages never arrived again");
            await TrySendAsync(left, 0, onRight.User);
            await TrySendAsync(right, 1, onLeft.User);
            await Task.Delay(10);
        }
    }

    private static Task ConnectAsync(SignalRHost[] hosts, Receiver[] receivers) =>
        Parallel.ForAsync(
            0,
            receivers.Length,
            new ParallelOptions { MaxDegreeOfParallelism = 32 },
            async (i, _) => receivers[i] = await Receiver.ConnectAsync(hosts[i % 2], i)
        );

    private static async Task TrySendAsync(SignalRHost from, int sender, string user)
    {
        try
        {
            await from.Context.Clients.User(user).SendAsync("message", sender, "again");
        }
        catch (RedisException)
        {
            // The connection for sending is away as well.
        }
    }

    private static async Task<string[]> SendRoundsAsync(SignalRHost[] hosts, Receiver[] receivers)
    {
        var sent = new List<string>();
        await Task.WhenAll(
            Enumerable
                .Range(0, hosts.Length)
                .Select(async sender =>
                {
                    IHubClients clients = hosts[sender].Context.Clients;
                    for (int round = 0; round < Rounds; round++)
                    {
                        await SendAsync(clients.All, "all", static _ => true);
                        for (int group = 0; group < Groups; group++)
                        {
                            int g = group;
                            await SendAsync(clients.Group("group" + g), "group" + g, each => each.Index % Groups == g);
                        }

                        for (int user = round; user * ConnectionsOfUser < receivers.Length; user += Rounds)
                        {
                            string name = "user" + user;
                            await SendAsync(clients.User(name), name, each => each.User == name);
                        }

                        for (int one = round; one < receivers.Length; one += Rounds)
                        {
                            Receiver only = receivers[one];
                            await SendAsync(clients.Client(only.Id), "connection" + one, each => each == only);
                        }

                        async Task SendAsync(IClientProxy to, string name, Func<Receiver, bool> isFor)
                        {
                            string text = $"{name} {round}";
                            lock (sent)
                            {
                                sent.Add(text);
                                foreach (Receiver each in receivers.Where(isFor))
                                    each.Expected.Add((sender, text));
                            }

                            await to.SendAsync("message", sender, text);
                        }
                    }
                })
        );
        return [.. sent];
    }

    private static ConfigurationOptions Backplane(TestServer server, RedisProtocol protocol)
    {
        ConfigurationOptions options = RedisConnection.OptionsFor(server, protocol);
        options.ReconnectRetryPolicy = new LinearRetry(50);
        return options;
    }

    // A client of one of the hosts, with a group and a user that others share.
    private sealed class Receiver : IAsyncDisposable
    {
        private readonly HubConnection _connection;
        private readonly List<(int Sender, string Text)> _received = [];
        private TaskCompletionSource _more = new(TaskCreationOptions.RunContinuationsAsynchronously);

        private Receiver(HubConnection connection, int index) => (_connection, Index) = (connection, index);

        public int Index { get; }

        public string Group => "group" + (Index % Groups);

        public string User => "user" + (Index / ConnectionsOfUser);

        public string Id => _connection.ConnectionId!;

        public List<(int Sender, string Text)> Expected { get; } = [];

        public (int Sender, string Text)[] Received
        {
            get
            {
                lock (_received)
                    return [.. _received];
            }
        }

        public static async Task<Receiver> ConnectAsync(SignalRHost host, int index)
        {
            HubConnection connection = new HubConnectionBuilder()
                .WithUrl(new Uri($"{host.Address}?user=user{index / ConnectionsOfUser}"))
                .Build();
            connection.ServerTimeout = TimeSpan.FromMinutes(10);
            var receiver = new Receiver(connection, index);
            connection.On<int, string>("message", receiver.Add);
            await connection.StartAsync();
            await connection.InvokeAsync("Join", receiver.Group);
            return receiver;
        }

        public Task LeaveAsync() => _connection.InvokeAsync("Leave", Group);

        // Exactly what was sent to it arrives, and what one host sent on one channel, in order.
        public async Task CheckAsync()
        {
            while (true)
            {
                Task more;
                lock (_received)
                {
                    if (_received.Count >= Expected.Count)
                        break;
                    more = _more.Task;
                }

                await more.WaitAsync(Patience);
            }

            await _connection.InvokeAsync<int>("Echo", Index);
            (int Sender, string Text)[] received = Received;
            Assert.Equal(Expected.Order(), received.Order());
            foreach (
                IGrouping<(int Sender, string), (int Sender, string Text)> channel in Expected.GroupBy(static each =>
                    (each.Sender, each.Text.Split(' ')[0])
                )
            )
            {
                Assert.Equal(channel, received.Where(each => (each.Sender, each.Text.Split(' ')[0]) == channel.Key));
            }
        }

        // Begins anew, after a check.
        public void Forget()
        {
            Expected.Clear();
            lock (_received)
                _received.Clear();
        }

        public ValueTask DisposeAsync() => _connection.DisposeAsync();

        private void Add(int sender, string text)
        {
            lock (_received)
            {
                _received.Add((sender, text));
                _more.SetResult();
                _more = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            }
        }
    }
}
