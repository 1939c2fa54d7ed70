// What clients get, and can do, while a script runs that does not end. Servers in the process, over sockets.
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Scripting;

/// <summary>
/// The scripts are endless, and the threshold is a millisecond: a client that has got BUSY knows that a script runs, whatever the machine's
/// speed.
/// </summary>
public sealed class BusyScriptTests
{
    private const string Busy = "-BUSY Valkey is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.\r\n";
    private const string Killed = "-ERR Script killed by user with SCRIPT KILL.";
    private const string Endless = "while true do end";
    private const string EndlessAfterWrite = "redis.call('set', 'a', '1') while true do end";

    public static TheoryData<TransportKind, int> Places =>
        OperatingSystem.IsLinux()
            ? new()
            {
                { TransportKind.Epoll, 1 },
                { TransportKind.Epoll, 4 },
                { TransportKind.Sockets, 1 },
                { TransportKind.Sockets, 4 },
            }
            : new() { { TransportKind.Sockets, 1 }, { TransportKind.Sockets, 4 } };

    [Theory]
    [MemberData(nameof(Places))]
    public void Everybody_gets_an_error_until_the_script_is_killed(TransportKind transport, int threads)
    {
        using TestServer server = Start(transport, threads);
        RespExchange[] others = [.. Enumerable.Range(0, 100).Select(_ => server.Connect())];
        using RespExchange caller = server.Connect();
        Send(caller, "EVAL", Endless, "1", "a");
        AwaitBusy(others[0]);
        foreach (RespExchange other in others)
        {
            Assert.Equal(Busy, other.ExecuteText("GET", "a"));
            Assert.Equal(Busy, other.ExecuteText("GET", "b"));
            Assert.Equal(Busy, other.ExecuteText("EVAL", "return 1", "0"));
            Assert.Equal(Busy, other.ExecuteText("INFO"));
        }

        using RespExchange late = server.Connect();
        Assert.Equal(Busy, late.ExecuteText("PING"));
        Assert.Equal("+OK\r\n", late.ExecuteText("SCRIPT", "KILL"));
        Assert.StartsWith(Killed, Reply(caller), StringComparison.Ordinal);
        foreach (RespExchange other in others)
        {
            Assert.Equal("+PONG\r\n", other.ExecuteText("PING"));
            other.Dispose();
        }

        Assert.Equal("+PONG\r\n", caller.ExecuteText("PING"));
        Assert.StartsWith("-NOTBUSY No scripts in execution right now.", late.ExecuteText("SCRIPT", "KILL"), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Places))]
    public void A_script_that_has_written_is_ended_by_the_server_s_end_only(TransportKind transport, int threads)
    {
        TestServer server = Start(transport, threads);
        using RespExchange caller = server.Connect();
        using RespExchange other = server.Connect();
        Send(caller, "EVAL", EndlessAfterWrite, "0");
        AwaitBusy(other);
        Assert.StartsWith("-UNKILLABLE Sorry the script already", other.ExecuteText("SCRIPT", "KILL"), StringComparison.Ordinal);
        Assert.Equal(Busy, other.ExecuteText("SHUTDOWN"));
        Assert.Equal(Busy, other.ExecuteText("SHUTDOWN", "SAVE"));
        Assert.Equal(Busy, other.ExecuteText("PING"));
        Assert.Null(other.Execute("SHUTDOWN", "NOSAVE"));
        server.Dispose();
    }

    [Theory]
    [MemberData(nameof(Places))]
    public async Task A_server_can_be_stopped_while_a_script_runs(TransportKind transport, int threads)
    {
        TestServer server = Start(transport, threads);
        using RespExchange caller = server.Connect();
        using RespExchange other = server.Connect();
        Send(caller, "EVAL", EndlessAfterWrite, "0");
        AwaitBusy(other);
        using (var gone = new CancellationTokenSource())
        {
            await gone.CancelAsync();
            await server.Server.StopAsync(gone.Token);
        }

        server.Dispose();
    }

    [Theory]
    [MemberData(nameof(Places))]
    public void Some_commands_are_served(TransportKind transport, int threads)
    {
        using TestServer server = Start(transport, threads);
        using RespExchange caller = server.Connect();
        using RespExchange other = server.Connect();
        Send(caller, "EVAL", Endless, "0");
        AwaitBusy(other);
        Assert.StartsWith("%7", other.ExecuteText("HELLO", "3"), StringComparison.Ordinal);
        Assert.Equal(Busy, other.ExecuteText("GET", "a"));
        Assert.StartsWith("*14", other.ExecuteText("HELLO", "2"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", other.ExecuteText("CLIENT", "SETNAME", "x"));
        Assert.Equal("$1\r\nx\r\n", other.ExecuteText("CLIENT", "GETNAME"));
        Assert.Equal(Busy, other.ExecuteText("CLIENT", "LIST"));
        Assert.Equal("+OK\r\n", other.ExecuteText("SELECT", "1"));
        Assert.Equal("+OK\r\n", other.ExecuteText("WATCH", "a", "b"));
        Assert.Equal("+OK\r\n", other.ExecuteText("UNWATCH"));
        Assert.Equal("+OK\r\n", other.ExecuteText("MULTI"));
        Assert.Equal(Busy, other.ExecuteText("SET", "a", "1"));
        Assert.Equal("-EXECABORT Transaction discarded because of: " + Busy[1..], other.ExecuteText("EXEC"));
        Assert.Equal("+OK\r\n", other.ExecuteText("MULTI"));
        Assert.Equal("+OK\r\n", other.ExecuteText("DISCARD"));
        Assert.Equal("+RESET\r\n", other.ExecuteText("RESET"));
        Assert.Equal("-ERR unknown command 'NONSENSE', with args beginning with: \r\n", other.ExecuteText("NONSENSE"));
        Assert.Equal("+OK\r\n", other.ExecuteText("QUIT"));
        Assert.Null(other.ReadReply());
        Kill(server);
        Assert.StartsWith(Killed, Reply(caller), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Places))]
    public void A_slow_script_ends_by_itself_and_requests_keep_their_order(TransportKind transport, int threads)
    {
        using TestServer server = Start(transport, threads);
        using RespExchange caller = server.Connect();
        using RespExchange other = server.Connect();
        // It ends when the other client has been told that it is busy, and is refused: nothing but a kill could end it from outside.
        caller.Send([
            .. Encoded("SET", "n", "0"),
            .. Encoded("EVAL", "for i = 1, 30000000 do end return redis.call('incr', 'n')", "0"),
            .. Encoded("INCR", "n"),
            .. Encoded("INCR", "n"),
        ]);
        // Later requests wait in the connection of their client: a reply to each, in order.
        Assert.Equal("+OK\r\n", Reply(caller));
        Assert.Equal(":1\r\n", Reply(caller));
        Assert.Equal(":2\r\n", Reply(caller));
        Assert.Equal(":3\r\n", Reply(caller));
        Assert.Equal("$1\r\n3\r\n", other.ExecuteText("GET", "n"));
    }

    [Theory]
    [MemberData(nameof(Places))]
    public void A_pipeline_gets_a_reply_for_each_request(TransportKind transport, int threads)
    {
        using TestServer server = Start(transport, threads);
        using RespExchange caller = server.Connect();
        using RespExchange other = server.Connect();
        Send(caller, "EVAL", Endless, "0");
        AwaitBusy(other);
        other.Send([
            .. Encoded("SET", "a", "1"),
            .. Encoded("CLIENT", "GETNAME"),
            .. Encoded("SCRIPT", "KILL"),
            .. Encoded("CLIENT", "ID"),
        ]);
        Assert.Equal(Busy, Reply(other));
        Assert.Equal("$-1\r\n", Reply(other));
        Assert.Equal("+OK\r\n", Reply(other));
        Assert.StartsWith(":", Reply(other), StringComparison.Ordinal);
        Assert.StartsWith(Killed, Reply(caller), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Places))]
    public void A_script_in_a_transaction_is_killed_and_the_transaction_goes_on(TransportKind transport, int threads)
    {
        using TestServer server = Start(transport, threads);
        using RespExchange caller = server.Connect();
        using RespExchange other = server.Connect();
        caller.Send([
            .. Encoded("MULTI"),
            .. Encoded("SET", "a", "1"),
            .. Encoded("EVAL", Endless, "0"),
            .. Encoded("GET", "a"),
            .. Encoded("EXEC"),
        ]);
        AwaitBusy(other);
        Assert.Equal("+OK\r\n", other.ExecuteText("SCRIPT", "KILL"));
        for (int i = 0; i < 4; i++)
            Reply(caller);
        string reply = Reply(caller);
        Assert.StartsWith("*3\r\n+OK\r\n" + Killed, reply, StringComparison.Ordinal);
        Assert.EndsWith("$1\r\n1\r\n", reply, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Places))]
    public void Blocked_clients_stay_blocked_and_are_served_afterwards(TransportKind transport, int threads)
    {
        using TestServer server = Start(transport, threads);
        RespExchange[] blocked = [.. Enumerable.Range(0, 8).Select(_ => server.Connect())];
        using RespExchange caller = server.Connect();
        using RespExchange other = server.Connect();
        foreach (RespExchange client in blocked)
            Send(client, "BLPOP", "list", "0");
        while (!other.ExecuteText("INFO", "clients").Contains("blocked_clients:8\r\n", StringComparison.Ordinal))
            Thread.Yield();
        Send(caller, "EVAL", "while true do redis.pcall('exists', 'list') end", "0");
        AwaitBusy(other);
        Assert.Equal("+OK\r\n", other.ExecuteText("SCRIPT", "KILL"));
        Reply(caller);
        Assert.Equal(
            ":8\r\n",
            other.ExecuteText("EVAL", "for i = 1, 8 do redis.call('rpush', 'list', i) end return redis.call('llen', 'list')", "0")
        );
        foreach (RespExchange client in blocked)
        {
            Assert.StartsWith("*2\r\n$4\r\nlist\r\n", Reply(client), StringComparison.Ordinal);
            client.Dispose();
        }
    }

    [Theory]
    [MemberData(nameof(Places))]
    public void The_script_s_client_and_others_may_leave_meanwhile(TransportKind transport, int threads)
    {
        using TestServer server = Start(transport, threads);
        RespExchange caller = server.Connect();
        RespExchange watching = server.Connect();
        using RespExchange other = server.Connect();
        Assert.Equal("+OK\r\n", watching.ExecuteText("WATCH", "a", "b", "c"));
        Send(caller, "EVAL", Endless, "0");
        AwaitBusy(other);
        watching.Dispose();
        caller.Dispose();
        Assert.Equal(Busy, other.ExecuteText("PING"));
        Assert.Equal("+OK\r\n", other.ExecuteText("SCRIPT", "KILL"));
        while (!other.ExecuteText("INFO", "clients").Contains("connected_clients:1\r\n", StringComparison.Ordinal))
            Thread.Yield();
    }

    [Fact]
    public async Task Clients_with_TLS_are_served()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync(
            static (options, _) =>
            {
                options.BusyReplyThresholdMs = 1;
                options.IoThreads = 1;
            }
        );
        using TlsClient caller = server.Connect();
        using TlsClient other = server.Connect();
        caller.Stream.Write(Encoded("EVAL", Endless, "0"));
        while (other.Execute("PING") == "+PONG")
            Thread.Yield();
        Assert.Equal(Busy.TrimEnd(), other.Execute("GET", "a"));
        using TlsClient late = server.Connect();
        Assert.Equal(Busy.TrimEnd(), late.Execute("PING"));
        Assert.Equal("+OK", late.Execute("SCRIPT", "KILL"));
        Assert.StartsWith(Killed, caller.ReadReply(), StringComparison.Ordinal);
        Assert.Equal("+PONG", caller.Execute("PING"));
    }

    private static TestServer Start(TransportKind transport, int threads) =>
        TestServer.Start(options =>
        {
            options.Transport = transport;
            options.IoThreads = threads;
            options.BusyReplyThresholdMs = 1;
        });

    // Whether the script has begun is not known before.
    private static void AwaitBusy(RespExchange client)
    {
        string reply;
        do reply = client.ExecuteText("PING");
        while (reply == "+PONG\r\n");
        Assert.Equal(Busy, reply);
    }

    private static void Kill(TestServer server)
    {
        using RespExchange killer = server.Connect();
        Assert.Equal("+OK\r\n", killer.ExecuteText("SCRIPT", "KILL"));
    }

    private static byte[] Encoded(params string[] arguments) => RespExchange.Encode([.. arguments.Select(Encoding.UTF8.GetBytes)]);

    private static void Send(RespExchange client, params string[] arguments) => client.Send(Encoded(arguments));

    private static string Reply(RespExchange client) =>
        Encoding.UTF8.GetString(client.ReadReply() ?? throw new IOException("The server closed the connection."));
}
