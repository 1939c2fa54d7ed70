// Requests of many arguments: time and memory must grow with their bytes and with nothing else, as in Valkey. Each run has a process of its
// own.
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Attack.Tests;

public sealed class ManyArgumentTests(ITestOutputHelper output)
{
    // What a busy machine may add to either side before a ratio tells anything.
    private static readonly TimeSpan Slack = TimeSpan.FromSeconds(1);

    [Theory]
    [InlineData("epoll", "MSET", 2_000, 16_384)]
    [InlineData("epoll", "MSET", 1_000, 40_000)]
    [InlineData("epoll", "DEL", 2_000, 16_384)]
    [InlineData("epoll", "MSET", 5_000, 4_000)]
    [InlineData("epoll", "DEL", 300_000, 100)]
    [InlineData("epoll", "SADD", 200, 200_000)]
    [InlineData("sockets", "MSET", 2_000, 16_384)]
    [InlineData("sockets", "DEL", 2_000, 16_384)]
    [InlineData("sockets", "DEL", 300_000, 100)]
    public void Cost_depends_only_on_the_number_of_bytes(string transport, string command, int count, int size)
    {
        byte[] request = Request(command, count, size);
        using var garnet = AttackedServer.StartGarnet("--transport", transport);
        AttackCost ours = Run(garnet, request);
        Assert.True(ours.Bytes < (2 * request.Length) + AttackCost.MaxBytes, $"{ours} for {request.Length >> 20} MB");
        using var valkey = AttackedServer.TryStartValkey();
        if (valkey is null)
            return;
        AttackCost theirs = Run(valkey, request);
        Assert.True(ours.Processor < (10 * theirs.Processor) + Slack, $"{ours}; Valkey: {theirs}");
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void Arguments_of_all_sizes_arrive_as_they_were_sent(string transport)
    {
        var random = new Random(TestSeed.ChooseAnew(output));
        using var garnet = AttackedServer.StartGarnet("--transport", transport);
        using RespExchange client = garnet.Connect();
        for (int round = 0; round < FaultScale.Count(20, 1000); round++)
        {
            List<byte[]> arguments = ["MSET"u8.ToArray()];
            for (int i = random.Next(1, 200); i > 0; i--)
            {
                arguments.Add(Encoding.ASCII.GetBytes($"k{arguments.Count}"));
                arguments.Add(RandomBytes(random));
            }

            bool queues = random.Next(3) == 0;
            bool pauses = !queues && random.Next(3) == 0;
            if (queues)
                Assert.Equal("+OK\r\n", client.ExecuteText("MULTI"));
            using RespExchange other = garnet.Connect();
            if (pauses)
                Assert.Equal("+OK\r\n", other.ExecuteText("CLIENT", "PAUSE", "50", "WRITE"));
            SendInPieces(client, RespExchange.Encode(arguments), random);
            Assert.Equal(queues ? "+QUEUED\r\n" : "+OK\r\n", Encoding.ASCII.GetString(client.ReadReply()!));
            if (queues)
                Assert.Equal("*1\r\n+OK\r\n", client.ExecuteText("EXEC"));
            for (int i = 1; i < arguments.Count; i += 2)
            {
                Assert.Equal(
                    (byte[])[.. Encoding.ASCII.GetBytes($"${arguments[i + 1].Length}\r\n"), .. arguments[i + 1], .. "\r\n"u8],
                    other.Execute([
                        [.. "GET"u8],
                        arguments[i],
                    ])
                );
            }
        }

        Assert.Equal("+OK\r\n", client.ExecuteText("FLUSHALL"));
    }

    private AttackCost Run(AttackedServer server, byte[] request)
    {
        using RespExchange client = server.Connect();
        Assert.Equal("+PONG\r\n", client.ExecuteText("PING"));
        using var meter = new AttackMeter(server);
        meter.Start();
        client.Send(request);
        byte[] reply = client.ReadReply()!;
        AttackCost cost = meter.Stop();
        Assert.NotEqual((byte)'-', reply[0]);
        output.WriteLine($"{server.Name}: {cost}");
        return cost;
    }

    private static byte[] Request(string command, int count, int size)
    {
        byte[] value = new byte[size];
        Array.Fill(value, (byte)'x');
        List<byte[]> arguments = [Encoding.ASCII.GetBytes(command)];
        if (command == "SADD")
            arguments.Add("set"u8.ToArray());
        for (int i = 0; i < count; i++)
        {
            byte[] key = Encoding.ASCII.GetBytes($"k{i}");
            if (command == "MSET")
                arguments.Add(key);
            byte[] argument = [.. value];
            if (command != "MSET")
                key.CopyTo(argument, 0);
            arguments.Add(argument);
        }

        return RespExchange.Encode(arguments);
    }

    private static byte[] RandomBytes(Random random)
    {
        int size = random.Next(8) switch
        {
            0 => random.Next(300_000),
            1 or 2 => 16 * 1024 + random.Next(-2, 3),
            3 => random.Next(16 * 1024),
            _ => random.Next(100),
        };
        byte[] bytes = new byte[size];
        random.NextBytes(bytes);
        return bytes;
    }

    private static void SendInPieces(RespExchange client, byte[] request, Random random)
    {
        int largest = random.Next(3) switch
        {
            0 => 1 << 20,
            1 => 70_000,
            _ => 20_000,
        };
        for (int sent = 0; sent < request.Length; )
        {
            int piece = Math.Min(random.Next(1, largest), request.Length - sent);
            client.Send(request.AsSpan(sent, piece));
            sent += piece;
        }
    }
}
