// Who is let in and who is told to go: maxclients, protected mode, timeout, query and output buffer limits.
using Garnet.Server.Configuration;
using Xunit;

namespace Garnet.Server.Tests.Sessions;

public sealed class ClientLimitsTests
{
    private static readonly InProcessConnection Remote = new() { IsLocal = false, RemoteAddress = "192.0.2.7:40000" };

    [Fact]
    public void One_client_more_than_maxclients_is_told_so_and_closed_until_another_leaves()
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
        Assert.False(idle.Session.IsClosing);
        server.Clock.Advance(TimeSpan.FromSeconds(2));
        Assert.True(idle.Session.IsClosing);
        Assert.False(waiting.Session.IsClosing);
        Assert.False(server.Client.Session.IsClosing);
    }

    [Fact]
    public void A_client_that_does_not_read_is_ended_at_the_hard_limit_at_once()
    {
        using InProcessServer server = new(options => options.ClientOutputBufferLimits = Limits("normal 1000 0 0"));
        InProcessClient slow = server.Connect();
        slow.Connection.UnsentBytes = 1000;
        Assert.Equal("+PONG\r\n", slow.Call("PING"));
        slow.Connection.UnsentBytes = 1001;
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
        Assert.False(slow.Session.IsClosing);
        server.Clock.Advance(TimeSpan.FromSeconds(3));
        Assert.True(slow.Session.IsClosing);
        Assert.False(recovering.Session.IsClosing);
        Assert.Contains("client_output_buffer_limit_disconnections:1\r\n", server.Call("INFO", "stats"));
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

    private static OutputBufferLimits Limits(string value)
    {
        GarnetOptions options = new();
        Assert.Null(OptionTable.Find("client-output-buffer-limit")!.TrySet(options, value.Split(' ')));
        return options.ClientOutputBufferLimits;
    }
}
