// Clients that leave while one of their commands waits, with more behind it than the system's buffers hold. Each test has a process of its
// own.
using System.Globalization;
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.Attack.Tests;

public sealed class VanishedClientTests
{
    public static TheoryData<string, bool> Transports =>
        new()
        {
            { "epoll", false },
            { "epoll", true },
            { "sockets", false },
            { "sockets", true },
        };

    [Theory]
    [MemberData(nameof(Transports))]
    public void Nothing_is_popped_for_a_client_that_has_gone(string transport, bool isTcp)
    {
        using var server = new VanishedClientTarget(transport, isTcp);
        foreach (
            string[] wait in (string[][])
                [
                    ["BLPOP", "list", "0"],
                    ["BLMOVE", "list", "other", "LEFT", "LEFT", "0"],
                    ["BRPOPLPUSH", "list", "other", "0"],
                ]
        )
        {
            server.SendAndLeave(wait);
            server.AwaitOnly(0);
            using RespExchange client = server.Process.Connect();
            Assert.Equal(":1\r\n", client.ExecuteText("RPUSH", "list", "value"));
            Assert.Equal("*1\r\n$5\r\nvalue\r\n", client.ExecuteText("LRANGE", "list", "0", "-1"));
            Assert.Equal(":1\r\n", client.ExecuteText("DEL", "list"));
        }
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public void Waiting_commands_of_clients_that_have_gone_do_not_hold_maxclients(string transport, bool isTcp)
    {
        using var server = new VanishedClientTarget(transport, isTcp, "--maxclients", "30", "--appendonly", "yes");
        foreach (
            string[] wait in (string[][])
                [
                    ["XREAD", "BLOCK", "0", "STREAMS", "stream", "$"],
                    ["WAIT", "1", "0"],
                    ["WAITAOF", "0", "1", "0"],
                    ["BZPOPMIN", "z", "0"],
                ]
        )
        {
            for (int i = 0; i < 25; i++)
                server.SendAndLeave(wait);
            server.AwaitOnly(0);
        }
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public void A_write_that_CLIENT_PAUSE_held_back_is_not_executed_for_a_client_that_has_gone(string transport, bool isTcp)
    {
        using var server = new VanishedClientTarget(transport, isTcp);
        using RespExchange client = server.Process.Connect();
        Assert.Equal("+OK\r\n", client.ExecuteText("CLIENT", "PAUSE", "60000", "WRITE"));
        server.SendAndLeave("SET", "key", "value");
        server.AwaitOnly(1);
        Assert.Equal("+OK\r\n", client.ExecuteText("CLIENT", "UNPAUSE"));
        Assert.Equal("$-1\r\n", client.ExecuteText("GET", "key"));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public void On_a_half_closed_connection_earlier_requests_are_answered_and_a_waiting_one_is_abandoned(string transport, bool isTcp)
    {
        using var server = new VanishedClientTarget(transport, isTcp);
        using RespExchange client = server.Connect();
        client.Send([
            .. RespExchange.Encode([.. ((string[])["SET", "key", "value"]).Select(Encoding.ASCII.GetBytes)]),
            .. "GET key\r\nBLPOP list 0\r\nPING\r\n"u8,
        ]);
        client.FinishSending();
        Assert.Equal("+OK\r\n", Encoding.ASCII.GetString(client.ReadReply()!));
        Assert.Equal("$5\r\nvalue\r\n", Encoding.ASCII.GetString(client.ReadReply()!));
        Assert.Null(client.ReadReply());
        server.AwaitOnly(0);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public void A_half_closed_connection_gets_the_reply_of_a_command_that_takes_long(string transport, bool isTcp)
    {
        using var server = new VanishedClientTarget(
            transport,
            isTcp,
            "--checkpoint-throttle-flush-delay-ms",
            "300",
            "--enable-debug-command",
            "yes"
        );
        using RespExchange client = server.Connect();
        Assert.Equal("+OK\r\n", client.ExecuteText("DEBUG", "POPULATE", "100000"));
        client.Send("SAVE\r\n"u8);
        client.FinishSending();
        Assert.Equal("+OK\r\n", Encoding.ASCII.GetString(client.ReadReply()!));
        Assert.Null(client.ReadReply());
        server.AwaitOnly(0);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public void What_a_waiting_client_sends_meanwhile_counts_and_is_bounded(string transport, bool isTcp)
    {
        using var server = new VanishedClientTarget(transport, isTcp, "--client-query-buffer-limit", "1mb");
        using RespExchange client = server.Connect();
        client.Send("CLIENT SETNAME waiting\r\nBLPOP list 0\r\n"u8);
        Assert.Equal("+OK\r\n", Encoding.ASCII.GetString(client.ReadReply()!));
        client.Send(new byte[500_000]);
        using RespExchange other = server.Process.Connect();
        FaultTarget.Await(() => QueryBuffer(other) == 500_000, () => other.ExecuteText("CLIENT", "LIST"));
        client.TrySend(new byte[600_000]);
        server.AwaitOnly(1);
        Assert.Contains("client_query_buffer_limit_disconnections:1\r\n", other.ExecuteText("INFO", "stats"), StringComparison.Ordinal);
    }

    private static long QueryBuffer(RespExchange client)
    {
        string line = client
            .ExecuteText("CLIENT", "LIST")
            .Split('\n')
            .First(each => each.Contains("name=waiting", StringComparison.Ordinal));
        return long.Parse(
            line.Split(' ').First(field => field.StartsWith("qbuf=", StringComparison.Ordinal))[5..],
            CultureInfo.InvariantCulture
        );
    }
}
