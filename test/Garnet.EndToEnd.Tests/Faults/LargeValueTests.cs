// Large strings received and sent: split anywhere, changed while they are sent, aborted halfway. Each test has its own process.
using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Faults;

[Collection(FaultsCollection.Name)]
public sealed class LargeValueTests(ITestOutputHelper output)
{
    private const int Megabyte = 1 << 20;
    private const int Large = 5 * Megabyte;

    // Freed blocks of up to 4 MiB are kept for reuse, up to this total.
    private const long KeptBlocks = 32L * Megabyte;

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public async Task Strings_of_all_sizes_round_trip(string transport)
    {
        int seed = TestSeed.ChooseAnew(output);
        using var target = new FaultTarget(transport, "--io-threads", "2");
        await Task.WhenAll(Enumerable.Range(0, 3).Select(number => Task.Run(() => Exchange(target.Connect, seed + number, $"c{number}:"))));
        using (RespExchange client = target.Connect())
            Assert.Equal("+OK\r\n", client.ExecuteText("FLUSHALL"));
        FaultTarget.Await(
            () => target.Info("store_block_bytes") <= KeptBlocks,
            () => $"{target.Info("store_block_bytes")} bytes of blocks stayed"
        );
        target.AssertEndsWell();
    }

    [Theory]
    [InlineData(TransportKind.Epoll)]
    [InlineData(TransportKind.Sockets)]
    public async Task Strings_of_all_sizes_round_trip_over_TCP(TransportKind transport)
    {
        int seed = TestSeed.ChooseAnew(output);
        using var server = TestServer.Start(options => options.Transport = transport);
        await Task.WhenAll(Enumerable.Range(0, 2).Select(number => Task.Run(() => Exchange(server.Connect, seed + number, $"c{number}:"))));
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void A_value_being_sent_does_not_change(string transport)
    {
        var random = new Random(TestSeed.ChooseAnew(output));
        using var target = new FaultTarget(transport);
        using RespExchange writer = target.Connect();
        for (int round = 0; round < FaultScale.Count(8, 500); round++)
        {
            int length = random.Next(2) == 0 ? Large : 300_000;
            writer.ExecuteText("SET", "k", new string('a', length));
            using RespExchange reader = target.Connect();
            int replies = random.Next(1, 6);
            reader.Send(FaultTarget.Pipeline(replies, "GET", "k"));
            string[] change = random.Next(5) switch
            {
                0 => ["SET", "k", new string('b', length)],
                1 => ["DEL", "k"],
                2 => ["APPEND", "k", new string('b', 100_000)],
                3 => ["SETRANGE", "k", "1000", new string('b', 100_000)],
                _ => ["SETBIT", "k", $"{(length - 1) * 8L}", "1"],
            };
            writer.ExecuteText(change);
            for (int i = 0; i < replies; i++)
                AssertOldOrNew(reader.ReadReply()!, length, change[0]);
            Assert.Equal("+PONG\r\n", reader.ExecuteText("PING"));
        }

        writer.ExecuteText("FLUSHALL");
        FaultTarget.Await(
            () => target.Info("store_block_bytes") <= KeptBlocks,
            () => $"{target.Info("store_block_bytes")} bytes of blocks stayed"
        );
        target.AssertEndsWell();
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void Aborted_values_are_freed(string transport)
    {
        var random = new Random(TestSeed.ChooseAnew(output));
        using var target = new FaultTarget(transport);
        using RespExchange observer = target.Connect();
        long before = target.ResidentBytes;
        for (int round = 0; round < FaultScale.Count(30, 1000); round++)
        {
            byte[] request = RespExchange.Encode([
                "MSET"u8.ToArray(),
                "a"u8.ToArray(),
                new byte[Large],
                "b"u8.ToArray(),
                new byte[Megabyte],
            ]);
            using Socket client = target.ConnectSocket();
            byte[] part = request[..random.Next(request.Length)];
            for (ReadOnlySpan<byte> rest = part; !rest.IsEmpty; )
                rest = rest[client.Send(rest)..];
            if (random.Next(3) == 0)
            {
                KillOnceKnown(observer, client);
                Assert.Equal(0, ReceiveOrEnd(client));
            }
        }

        AssertFreed(target, before);
        target.AssertEndsWell();
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void Values_in_abandoned_replies_are_freed(string transport)
    {
        using var target = new FaultTarget(transport);
        using RespExchange observer = target.Connect();
        long before = target.ResidentBytes;
        for (int round = 0; round < FaultScale.Count(10, 500); round++)
        {
            observer.ExecuteText("SET", "k", new string('a', Large));
            using Socket client = target.ConnectSocket();
            client.Send(FaultTarget.Pipeline(20, "GET", "k"));
            Assert.Equal(1, client.Receive(new byte[1]));
            observer.ExecuteText("DEL", "k");
            if (round % 2 == 0)
                observer.ExecuteText("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        }

        AssertFreed(target, before);
        target.AssertEndsWell();
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public async Task Large_arguments_wait_out_a_pause(string transport)
    {
        using var target = new FaultTarget(transport);
        using RespExchange observer = target.Connect();
        long before = target.ResidentBytes;
        string one = new('a', Megabyte),
            two = new('b', 20_000);
        for (int round = 0; round < FaultScale.Count(5, 200); round++)
        {
            Assert.Equal("+OK\r\n", observer.ExecuteText("CLIENT", "PAUSE", "60000", "WRITE"));
            using RespExchange client = target.Connect();
            using RespExchange givenUp = target.Connect();
            string id = givenUp.ExecuteText("CLIENT", "ID")[1..^2];
            using var request = new MemoryStream();
            foreach (
                string[] command in (string[][])
                    [
                        ["GET", "absent"],
                        ["MSET", "k1", one, "k2", two],
                        ["GET", "k1"],
                        ["SET", "k3", one],
                        ["MGET", "k2", "k3"],
                    ]
            )
            {
                RespExchange.Encode(request, [.. command.Select(Encoding.ASCII.GetBytes)]);
            }
            // The server continues to read while a command waits, but the sender of a large request may have to wait.
            var sending = Task.Run(() => client.Send(request.ToArray()));
            var sendingInVain = Task.Run(() => SendInVain(givenUp, request.ToArray()));
            Assert.Equal("$-1\r\n", Encoding.ASCII.GetString(client.ReadReply()!));
            Assert.Equal("$-1\r\n", Encoding.ASCII.GetString(givenUp.ReadReply()!));
            Assert.Equal(":0\r\n", observer.ExecuteText("EXISTS", "k1", "k2", "k3"));
            Assert.Equal(":1\r\n", observer.ExecuteText("CLIENT", "KILL", "ID", id));
            await sendingInVain;
            Assert.Equal("+OK\r\n", observer.ExecuteText("CLIENT", "UNPAUSE"));
            Assert.Equal("+OK\r\n", Encoding.ASCII.GetString(client.ReadReply()!));
            Assert.Equal($"${one.Length}\r\n{one}\r\n", Encoding.ASCII.GetString(client.ReadReply()!));
            Assert.Equal("+OK\r\n", Encoding.ASCII.GetString(client.ReadReply()!));
            Assert.Equal($"*2\r\n${two.Length}\r\n{two}\r\n${one.Length}\r\n{one}\r\n", Encoding.ASCII.GetString(client.ReadReply()!));
            await sending;
            FaultTarget.Await(() => target.Info("connected_clients") == 3, () => "The client that gave up must be gone.");
            observer.ExecuteText("FLUSHALL");
        }

        AssertFreed(target, before);
        target.AssertEndsWell();
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void Large_arguments_of_refused_requests_are_freed(string transport)
    {
        using var target = new FaultTarget(transport, "--maxmemory", "40mb");
        using RespExchange client = target.Connect();
        long before = target.ResidentBytes;
        string value = new('v', Large);
        for (int round = 0; round < FaultScale.Count(5, 200); round++)
        {
            Assert.StartsWith("-ERR unknown command", client.ExecuteText("NOSUCH", value));
            Assert.StartsWith("-ERR unknown command", client.ExecuteText(value, "x"));
            Assert.StartsWith("-ERR wrong number of arguments", client.ExecuteText("GET", value, value));
            Assert.StartsWith("-ERR syntax error", client.ExecuteText("SET", "k", value, "WHAT"));
            Assert.Equal("$-1\r\n", client.ExecuteText("GET", value));
            Assert.Equal(":0\r\n", client.ExecuteText("EXISTS", value, value));
            Assert.Equal("+OK\r\n", client.ExecuteText("MULTI"));
            Assert.Equal("+QUEUED\r\n", client.ExecuteText("SET", "k", value));
            Assert.Equal("+OK\r\n", client.ExecuteText("DISCARD"));
            using RespExchange wrong = target.Connect();
            wrong.Send(Encoding.ASCII.GetBytes($"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n${Large}\r\n{value}xx"));
            Assert.Equal("-ERR Protocol error: invalid CRLF in request\r\n", Encoding.ASCII.GetString(wrong.ReadReply()!));
            Assert.Null(wrong.ReadReply());
        }

        for (int i = 0; i < 8; i++)
            client.ExecuteText("SET", $"fill{i}", value);
        Assert.StartsWith("-OOM", client.ExecuteText("SET", "more", value));
        Assert.Equal("+OK\r\n", client.ExecuteText("FLUSHALL"));
        FaultTarget.Await(() => client.ExecuteText("SET", "more", value) == "+OK\r\n", () => "The memory must come back.");
        client.ExecuteText("FLUSHALL");
        AssertFreed(target, before);
        target.AssertEndsWell();
    }

    private static void Exchange(Func<RespExchange> connect, int seed, string prefix)
    {
        var random = new Random(seed);
        var model = new LargeValueModel(random, prefix);
        using RespExchange client = connect();
        for (int round = 0; round < FaultScale.Count(15, 1000); round++)
        {
            using var request = new MemoryStream();
            using var expected = new MemoryStream();
            int replies = 0;
            for (int i = random.Next(10); i >= 0 && request.Length < 30 * Megabyte; i--)
            {
                if (random.Next(5) == 0)
                    model.DrawTransaction(request, expected);
                else
                    model.Draw(request, expected);
            }

            RespFuzzing.SendInPieces(client, request.ToArray(), random);
            byte[] wanted = expected.ToArray();
            for (int position = 0; position < wanted.Length; replies++)
            {
                byte[] reply = client.ReadReply() ?? throw new IOException("The server closed the connection.");
                AssertReply(wanted.AsSpan(position), reply, $"seed {seed}, round {round}, reply {replies} to {Words(request.ToArray())}");
                position += reply.Length;
            }
        }
    }

    private static void AssertReply(ReadOnlySpan<byte> wanted, byte[] reply, string where)
    {
        int same = wanted.CommonPrefixLength(reply);
        if (same < reply.Length)
        {
            Assert.Fail(
                $"{where}: differs at byte {same} of {reply.Length}, wanted {Head(wanted)}, got {Head(reply)}; there wanted {Head(wanted[same..])}, got {Head(reply.AsSpan(same))}"
            );
        }
    }

    private static string Head(ReadOnlySpan<byte> bytes) => Convert.ToHexString(bytes[..Math.Min(bytes.Length, 24)]);

    // The request, with long arguments replaced by their length.
    private static string Words(byte[] request)
    {
        var text = new StringBuilder();
        for (int position = 0; position < request.Length; )
        {
            int end = position + request.AsSpan(position).IndexOf((byte)'\n') + 1;
            string line = Encoding.ASCII.GetString(request, position, end - position - 2);
            position = end;
            if (line[0] == '*')
            {
                text.Append("; ");
                continue;
            }

            int length = int.Parse(line[1..], CultureInfo.InvariantCulture);
            text.Append(length > 20 ? $"<{length}>" : Encoding.Latin1.GetString(request, position, length)).Append(' ');
            position += length + 2;
        }

        return text.ToString();
    }

    // The system accepts a connection and its first bytes before the server does: until then there is no client to kill.
    private static void KillOnceKnown(RespExchange observer, Socket client)
    {
        var patience = Stopwatch.StartNew();
        do
        {
            Assert.True(patience.Elapsed < TimeSpan.FromMinutes(2), "The client is never killed.");
            observer.ExecuteText("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        } while (!client.Poll(TimeSpan.FromMilliseconds(20), SelectMode.SelectRead));
    }

    private static void AssertOldOrNew(byte[] reply, int length, string change)
    {
        if (reply.AsSpan().SequenceEqual("$-1\r\n"u8) && change == "DEL")
            return;
        int start = reply.AsSpan().IndexOf((byte)'\n') + 1;
        ReadOnlySpan<byte> value = reply.AsSpan(start, reply.Length - start - 2);
        if (value.Length == length && !value.ContainsAnyExcept((byte)'a'))
            return;
        ReadOnlySpan<byte> changed = change switch
        {
            "SET" => Filled(length, 'b', 0, length),
            "APPEND" => Filled(length + 100_000, 'b', length, 100_000),
            "SETRANGE" => Filled(length, 'b', 1000, 100_000),
            "SETBIT" => Filled(length, (char)('a' | 0x80), length - 1, 1),
            _ => [],
        };
        Assert.True(value.SequenceEqual(changed), $"After {change} a reply is neither the old value nor the new one.");
    }

    private static byte[] Filled(int length, char other, int from, int count)
    {
        byte[] value = new byte[length];
        value.AsSpan().Fill((byte)'a');
        value.AsSpan(from, count).Fill((byte)other);
        return value;
    }

    private static void AssertFreed(FaultTarget target, long before)
    {
        FaultTarget.Await(() => target.Info("connected_clients") == 2, () => "The clients must be gone.");
        FaultTarget.Await(
            () => target.Info("store_block_bytes") <= KeptBlocks,
            () => $"{target.Info("store_block_bytes")} bytes of blocks stayed"
        );
        target.AwaitResident(before + (3 * KeptBlocks));
    }

    // The connection may be closed before everything is sent, which the runtime may report as a timeout.
    private static void SendInVain(RespExchange client, byte[] request)
    {
        Exception? failure = Record.Exception(() => client.Send(request));
        Assert.True(failure is null or SocketException, failure?.ToString());
    }

    private static int ReceiveOrEnd(Socket client)
    {
        try
        {
            return client.Receive(new byte[1]);
        }
        catch (SocketException closed) when (closed.SocketErrorCode is SocketError.ConnectionReset)
        {
            return 0;
        }
    }
}
