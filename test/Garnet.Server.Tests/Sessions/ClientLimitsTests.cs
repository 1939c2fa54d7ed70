// Which clients are accepted and which are disconnected: maxclients, protected mode, timeout, query and output buffer limits.
using System.Globalization;
using Garnet.Engine.Clients;
using Garnet.Server.Configuration;
using Xunit;

namespace Garnet.Server.Tests.Sessions;

public sealed class ClientLimitsTests
{
    private static readonly InProcessConnection Remote = new() { IsLocal = false, RemoteAddress = "192.0.2.7:40000" };

    [Fact]
    public void Clients_beyond_maxclients_are_rejected_until_another_disconnects()
    {
        using InProcessServer server = new(options => options.MaxClients = 2);
        InProcessClient second = server.Connect();
        InProcessClient refused = server.Connect();
        Assert.Equal("-ERR max number of clients reached\r\n", refused.Receive());
        Assert.True(refused.IsClosed);
        Assert.Contains("rejected_connections:1\r\n", server.Call("INFO", "stats"));
        Assert.Equal("+OK\r\n", second.Call("QUIT"));
        Assert.Equal("+PONG\r\n", server.Connect().Call("PING"));
    }

    [Fact]
    public void Protected_mode_refuses_other_machines_while_there_is_no_password()
    {
        using InProcessServer server = new();
        InProcessClient refused = server.Connect(connection: Remote);
        Assert.StartsWith("-DENIED Running in protected mode", refused.Receive());
        Assert.True(refused.IsClosed);
        server.Call("CONFIG", "SET", "requirepass", "x");
        Assert.Equal("-NOAUTH Authentication required.\r\n", server.Connect(connection: Remote).Call("PING"));
        server.Call("CONFIG", "SET", "requirepass", "", "protected-mode", "no");
        Assert.Equal("+PONG\r\n", server.Connect(connection: Remote).Call("PING"));
    }

    [Fact]
    public void Idle_clients_are_ended_after_the_timeout_but_not_those_that_wait_in_a_command()
    {
        using InProcessServer server = new(options => options.TimeoutSeconds = 10);
        InProcessClient idle = server.Connect(),
            waiting = server.Connect();
        Assert.Equal("", waiting.Call("WAIT", "1", "0"));
        server.Clock.Advance(TimeSpan.FromSeconds(9));
        server.Call("PING");
        Assert.False(idle.Session.End.IsForced);
        server.Clock.Advance(TimeSpan.FromSeconds(2));
        Assert.True(idle.Session.End.IsForced);
        Assert.False(waiting.Session.End.IsForced);
        Assert.False(server.Client.Session.End.IsForced);
    }

    [Fact]
    public void A_client_that_does_not_read_is_ended_at_the_hard_limit_at_once()
    {
        using InProcessServer server = new(options => options.ClientOutputBufferLimits = Limits("normal 1000 0 0"));
        InProcessClient slow = server.Connect();
        slow.Connection.UnsentBytes = 999;
        Assert.Equal("+PONG\r\n", slow.Call("PING"));
        slow.Connection.UnsentBytes = 1000;
        slow.Call("PING");
        Assert.True(slow.IsClosed);
        Assert.Contains("client_output_buffer_limit_disconnections:1\r\n", server.Call("INFO", "stats"));
    }

    [Fact]
    public void A_client_that_stays_above_the_soft_limit_is_ended_after_its_time()
    {
        using InProcessServer server = new(options => options.ClientOutputBufferLimits = Limits("normal 0 1000 5"));
        InProcessClient slow = server.Connect(),
            recovering = server.Connect();
        slow.Connection.UnsentBytes = recovering.Connection.UnsentBytes = 2000;
        server.Clock.Advance(TimeSpan.FromSeconds(4));
        recovering.Connection.UnsentBytes = 0;
        server.Clock.Advance(TimeSpan.FromSeconds(1));
        recovering.Connection.UnsentBytes = 2000;
        Assert.False(slow.Session.End.IsForced);
        server.Clock.Advance(TimeSpan.FromSeconds(3));
        Assert.True(slow.Session.End.IsForced);
        Assert.False(recovering.Session.End.IsForced);
        Assert.Contains("client_output_buffer_limit_disconnections:1\r\n", server.Call("INFO", "stats"));
    }

    [Theory]
    [InlineData("normal", "replica", "pubsub")]
    [InlineData("replica", "pubsub", "normal")]
    [InlineData("pubsub", "normal", "replica")]
    public void CONFIG_SET_of_a_class_applies_only_to_its_clients(string name, string second, string third)
    {
        using InProcessServer server = new(options => options.ClientOutputBufferLimits = NoLimits);
        Dictionary<string, InProcessClient> clients = new()
        {
            [name] = Connect(server, name),
            [second] = Connect(server, second),
            [third] = Connect(server, third),
        };
        foreach (InProcessClient client in clients.Values)
            client.Connection.UnsentBytes = 2000;
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "client-output-buffer-limit", $"{name} 3000 2000 5"));

        // The soft limit: it may be exceeded for 5 seconds, from the first tick that sees it.
        server.Clock.Advance(TimeSpan.FromSeconds(5));
        Assert.All(clients.Values, static client => Assert.False(client.Session.End.IsForced));
        server.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal([name], clients.Where(static each => each.Value.Session.End.IsForced).Select(static each => each.Key));

        // The hard limit.
        clients[name] = Connect(server, name);
        foreach (InProcessClient client in clients.Values)
            client.Connection.UnsentBytes = 3000;
        Assert.Contains("PONG", clients[second].Call("PING"), StringComparison.OrdinalIgnoreCase);
        clients[name].Call("PING");
        Assert.Equal([name], clients.Where(static each => each.Value.Session.End.IsForced).Select(static each => each.Key));
        Assert.Contains("client_output_buffer_limit_disconnections:2\r\n", server.Call("INFO", "stats"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_message_past_the_hard_limit_of_its_class_ends_a_client_at_once()
    {
        using InProcessServer server = new(options => options.ClientOutputBufferLimits = Limits("pubsub 1000 0 0"));
        InProcessOwner busy = new(0);
        InProcessClient normal = Connect(server, "normal", busy),
            subscriber = Connect(server, "pubsub", busy);
        normal.Session.Output.Deliver(new byte[1000]);
        subscriber.Session.Output.Deliver(new byte[1000]);

        Assert.True(subscriber.Session.End.IsForced);
        Assert.False(normal.Session.End.IsForced);
    }

    [Fact]
    public void A_change_of_the_class_applies_at_once_to_unsent_replies()
    {
        using InProcessServer server = new(options => options.ClientOutputBufferLimits = Limits("normal 0 0 0 replica 1000 0 0"));
        InProcessClient client = server.Connect();
        client.Connection.UnsentBytes = 1000;
        server.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.False(client.Session.End.IsForced);
        client.Session.Output.Class = OutputClass.Replica;
        server.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.True(client.Session.End.IsForced);
    }

    [Fact]
    public void CLIENT_LIST_and_KILL_select_by_class_where_a_monitor_is_a_normal_client()
    {
        using InProcessServer server = new();
        InProcessClient monitor = server.Connect(),
            replica = Connect(server, "replica"),
            subscriber = Connect(server, "pubsub");
        Assert.Equal("+OK\r\n", monitor.Call("MONITOR"));
        Assert.Equal([server.Client.Session.Id, monitor.Session.Id], Listed("normal"));
        Assert.Equal([replica.Session.Id], Listed("replica"));
        Assert.Equal([replica.Session.Id], Listed("SLAVE"));
        Assert.Equal([subscriber.Session.Id], Listed("pubsub"));
        Assert.Empty(Listed("primary"));
        Assert.Equal("-ERR Unknown client type 'x'\r\n", server.Call("CLIENT", "LIST", "TYPE", "x"));
        Assert.Equal(":1\r\n", server.Call("CLIENT", "KILL", "TYPE", "pubsub"));
        Assert.True(subscriber.Session.End.IsForced);
        Assert.Equal(":1\r\n", server.Call("CLIENT", "KILL", "NOT-TYPE", "normal"));
        Assert.True(replica.Session.End.IsForced);
        Assert.False(monitor.Session.End.IsForced);

        long[] Listed(string type) =>
            [
                .. server
                    .Call("CLIENT", "LIST", "TYPE", type)
                    .Split('\n')
                    .Where(static line => line.StartsWith("id=", StringComparison.Ordinal))
                    .Select(static line => long.Parse(line[3..line.IndexOf(' ', StringComparison.Ordinal)], CultureInfo.InvariantCulture)),
            ];
    }

    [Fact]
    public void An_unfinished_request_past_the_query_buffer_limit_ends_the_client()
    {
        using InProcessServer server = new(options => options.ClientQueryBufferLimitBytes = 1L << 20);
        InProcessClient greedy = server.Connect();
        greedy.Send("*2\r\n$4\r\nECHO\r\n$3000000\r\n"u8);
        greedy.Send(new byte[900_000]);
        Assert.False(greedy.IsClosed);
        greedy.Send(new byte[200_000]);
        Assert.True(greedy.IsClosed);
        Assert.Contains("client_query_buffer_limit_disconnections:1\r\n", server.Call("INFO", "stats"));
        Assert.Equal("+PONG\r\n", server.Call("PING"));
    }

    private static OutputBufferLimits NoLimits => Limits("normal 0 0 0 replica 0 0 0 pubsub 0 0 0");

    private static InProcessClient Connect(InProcessServer server, string outputClass, InProcessOwner? owner = null)
    {
        InProcessClient client = server.Connect(connection: new InProcessConnection { Owner = owner });
        Assert.True(OutputClassName.TryParse(outputClass, out OutputClass parsed));
        client.Session.Output.Class = parsed;
        return client;
    }

    private static OutputBufferLimits Limits(string value)
    {
        GarnetOptions options = new();
        Assert.Null(OptionTable.Find("client-output-buffer-limit")!.TrySet(options, value.Split(' ')));
        return options.ClientOutputBufferLimits;
    }
}
