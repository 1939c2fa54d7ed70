// Strings at proto-max-bulk-len and just above it: one clear error, whichever command makes them. One process a test; the ceiling itself
// takes gigabytes and is tried in full runs.
using System.Globalization;
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.Attack.Tests.Options;

public sealed class LongestStringTests
{
    private const int Megabyte = 1 << 20;

    // The option's upper bound: lengths are 32-bit numbers.
    private const int Ceiling = 2_147_418_111;
    private const string TooLong = "-ERR string exceeds maximum allowed size (proto-max-bulk-len)\r\n";
    private const string BitTooFar = "-ERR bit offset is not an integer or out of range\r\n";
    private const string TextTooLong = "-ERR an argument of this command may be 16 MB long at most\r\n";

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void At_the_lowest_limit(string transport)
    {
        using var server = AttackedServer.StartGarnet("--transport", transport, "--proto-max-bulk-len", "1mb");
        Boundary(server, Megabyte);
    }

    [Fact]
    public void A_string_above_the_maximum_is_refused_without_allocating_memory_for_it()
    {
        using var server = AttackedServer.StartGarnet("--proto-max-bulk-len", Text(Ceiling));
        using RespExchange client = server.Connect();
        Assert.Equal("+OK\r\n", client.ExecuteText("SET", "k", "v"));
        long before = server.ResidentBytes;
        foreach (string offset in (string[])[Text(Ceiling), "2147483647", "2147483648", "4294967295", "9223372036854775806"])
            Assert.Equal(TooLong, client.ExecuteText("SETRANGE", "k", offset, "x"));
        foreach (string offset in (string[])[Text(8L * Ceiling), "17179869184", "9223372036854775807"])
        {
            Assert.Equal(BitTooFar, client.ExecuteText("SETBIT", "k", offset, "1"));
            Assert.Equal(BitTooFar, client.ExecuteText("BITFIELD", "k", "SET", "u8", offset, "1"));
        }

        foreach (string length in (string[])[Text(Ceiling + 1L), "2147483647", "2147483648", "9223372036854775807"])
        {
            using RespExchange stranger = server.Connect();
            stranger.Send(Encoding.ASCII.GetBytes($"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n${length}\r\n"));
            Assert.Equal("-ERR Protocol error: invalid bulk length\r\n", Encoding.ASCII.GetString(stranger.ReadReply()!));
            Assert.Null(stranger.ReadReply());
        }

        Assert.True(server.ResidentBytes - before < 64L * Megabyte, $"{(server.ResidentBytes - before) / Megabyte} MB");
        Assert.Equal("$1\r\nv\r\n", client.ExecuteText("GET", "k"));
    }

    [Theory]
    [InlineData("CLIENT SETNAME")]
    [InlineData("CLIENT SETINFO lib-name")]
    [InlineData("CLIENT LIST NAME")]
    [InlineData("CLIENT KILL ADDR")]
    [InlineData("CLIENT")]
    [InlineData("CONFIG GET")]
    [InlineData("CONFIG SET requirepass")]
    [InlineData("COMMAND INFO")]
    [InlineData("COMMAND DOCS")]
    [InlineData("INFO")]
    [InlineData("ACL GETUSER")]
    [InlineData("LATENCY HISTOGRAM")]
    [InlineData("HELLO 3 SETNAME")]
    public void Text_of_commands_about_the_server_is_bounded(string command)
    {
        using var server = AttackedServer.StartGarnet();
        using RespExchange client = server.Connect();
        Assert.Equal("+PONG\r\n", client.ExecuteText("PING"));
        byte[] reply = client.Execute([.. command.Split(' ').Select(Encoding.ASCII.GetBytes), new byte[17 * Megabyte]])!;
        string text = Encoding.ASCII.GetString(reply, 0, Math.Min(reply.Length, 200));
        // The name of a command that is not known is shown in part.
        Assert.True(text == TextTooLong || text.StartsWith("-ERR unknown subcommand '", StringComparison.Ordinal), text);
        byte[] argument = new byte[17 * Megabyte];
        Assert.Equal(argument.Length + 13, client.Execute([.. (byte[][])["ECHO"u8.ToArray(), argument]])!.Length);
        Assert.Equal("-WRONGPASS"u8, client.Execute(["AUTH"u8.ToArray(), "someone"u8.ToArray(), argument]).AsSpan(0, 10));
    }

    [FullRunFact]
    public void At_the_ceiling()
    {
        using var server = AttackedServer.StartGarnet("--proto-max-bulk-len", Text(Ceiling), "--client-query-buffer-limit", "8gb");
        using RespExchange client = server.Connect();
        Boundary(server, Ceiling);
        foreach (string command in (string[])["CLIENT SETNAME", "CONFIG SET requirepass", "CONFIG GET", "COMMAND INFO", "INFO"])
            Assert.Equal(TextTooLong, Call(client, command, Ceiling));
        Assert.Equal("+OK\r\n", client.ExecuteText("FLUSHALL"));
        Assert.Equal(":1\r\n", Call(client, "RPUSH list", Ceiling));
        Assert.Equal(":1\r\n", Call(client, "HSET hash field", Ceiling));
        Assert.Equal(":2\r\n", client.ExecuteText("DBSIZE"));
        Assert.Equal("-ERR Elements are too large to be stored\r\n", Call(client, "XADD stream * field", Ceiling));
    }

    private static void Boundary(AttackedServer server, int limit)
    {
        using RespExchange client = server.Connect();
        Assert.Equal("+OK\r\n", Call(client, "SET k", limit));
        Assert.Equal($":{limit}\r\n", client.ExecuteText("STRLEN", "k"));
        Assert.Equal(TooLong, client.ExecuteText("APPEND", "k", "x"));
        Assert.Equal($":{limit}\r\n", client.ExecuteText("APPEND", "k", ""));
        Assert.Equal("$2\r\nxx\r\n", client.ExecuteText("GETRANGE", "k", Text(limit - 2), "-1"));
        Assert.Equal(":1\r\n", client.ExecuteText("DEL", "k"));
        Assert.Equal($":{limit}\r\n", client.ExecuteText("SETRANGE", "k", Text(limit - 1), "x"));
        Assert.Equal(TooLong, client.ExecuteText("SETRANGE", "k", Text(limit), "x"));
        Assert.Equal(TooLong, client.ExecuteText("SETRANGE", "k", Text(limit - 1), "xy"));
        Assert.Equal(":0\r\n", client.ExecuteText("SETBIT", "k", Text((8L * limit) - 1), "0"));
        Assert.Equal(BitTooFar, client.ExecuteText("SETBIT", "k", Text(8L * limit), "0"));
        Assert.Equal($":{limit}\r\n", client.ExecuteText("STRLEN", "k"));
        Assert.Equal(":1\r\n", client.ExecuteText("DEL", "k"));

        using RespExchange stranger = server.Connect();
        stranger.Send(Encoding.ASCII.GetBytes($"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n${limit + 1L}\r\n"));
        Assert.Equal("-ERR Protocol error: invalid bulk length\r\n", Encoding.ASCII.GetString(stranger.ReadReply()!));
        Assert.Null(stranger.ReadReply());
        Assert.Equal(":0\r\n", client.ExecuteText("EXISTS", "k"));
    }

    // The last argument is that many letters, sent in pieces.
    private static string Call(RespExchange client, string command, int length)
    {
        string[] arguments = command.Split(' ');
        client.Send([
            .. Encoding.ASCII.GetBytes($"*{arguments.Length + 1}\r\n"),
            .. RespExchange.Encode([.. arguments.Select(Encoding.ASCII.GetBytes)]).AsSpan(4),
            .. Encoding.ASCII.GetBytes($"${length}\r\n"),
        ]);
        byte[] piece = new byte[Megabyte];
        piece.AsSpan().Fill((byte)'x');
        for (int sent = 0; sent < length; sent += Math.Min(Megabyte, length - sent))
            client.Send(piece.AsSpan(0, Math.Min(Megabyte, length - sent)));
        client.Send("\r\n"u8);
        return Encoding.ASCII.GetString(client.ReadReply()!);
    }

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
}
