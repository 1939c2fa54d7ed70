// The server killed under load, with a log that is forced to the disk before every reply: nothing acknowledged may be missing, nothing may be there that was never sent.
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Faults;

[Collection(FaultsCollection.Name)]
public sealed class AppendLogKillTests(ITestOutputHelper output)
{
    private const int Clients = 8;

    [Fact]
    public void Nothing_acknowledged_is_lost_when_the_server_is_killed()
    {
        int rounds = FaultScale.Count(6, 1000);
        Random random = new(TestSeed.Choose(output, 91));
        string folder = Directory.CreateTempSubdirectory("garnet-kill-").FullName;
        long acknowledged = 0;
        // Of each client: the number in the last reply, and the last number sent.
        long[] replied = new long[Clients];
        long[] sent = new long[Clients];
        for (int round = 0; round < rounds; round++)
        {
            using (GarnetProcess server = GarnetProcess.StartIn(folder, "--appendonly", "yes", "--appendfsync", "always", "--auto-aof-rewrite-min-size", "200kb"))
            {
                Check(server, replied, sent, round);
                Thread[] load = [.. Enumerable.Range(0, Clients).Select(client => new Thread(() => Load(server, client, replied, sent)))];
                foreach (Thread thread in load)
                    thread.Start();
                Thread.Sleep(random.Next(20, 400));
                server.Kill();
                foreach (Thread thread in load)
                    thread.Join();
            }

            acknowledged = replied.Sum();
        }

        using (GarnetProcess server = GarnetProcess.StartIn(folder, "--appendonly", "yes", "--appendfsync", "always"))
            Check(server, replied, sent, rounds);
        output.WriteLine($"{rounds} kills, {acknowledged} acknowledged writes");
        Assert.True(acknowledged > rounds * Clients);
        Directory.Delete(folder, recursive: true);
    }

    // Three keys that only ever change together, to the next number; now and then in a pipeline of several.
    private static void Load(GarnetProcess server, int client, long[] replied, long[] sent)
    {
        try
        {
            using RespExchange exchange = server.Connect();
            for (int i = 0; ; i++)
            {
                int depth = i % 7 == 0 ? 5 : 1;
                using MemoryStream request = new();
                for (int j = 0; j < depth; j++)
                    Add(request, client, sent[client] + 1 + j);
                sent[client] += depth;
                exchange.Send(request.ToArray());
                for (int j = 0; j < depth; j++)
                {
                    for (int reply = 0; reply < 4; reply++)
                        Assert.NotNull(exchange.ReadReply());
                    if (exchange.ReadReply() is not { } exec)
                        return;
                    Assert.StartsWith("*3\r\n", Encoding.Latin1.GetString(exec), StringComparison.Ordinal);
                    replied[client]++;
                }
            }
        }
        catch (Exception e) when (e is SocketException or IOException or Xunit.Sdk.NotNullException)
        {
            // The server was killed.
        }
    }

    private static void Add(MemoryStream request, int client, long number)
    {
        string text = number.ToString(CultureInfo.InvariantCulture);
        string[][] commands =
        [
            ["MULTI"], ["SET", $"n{client}", text], ["INCR", $"count{client}"], ["SET", $"padded{client}", text + new string('.', (int)(number * 37 % 3000))], ["EXEC"],
        ];
        foreach (string[] command in commands)
            RespExchange.Encode(request, [.. command.Select(Encoding.Latin1.GetBytes)]);
    }

    // What is there must lie between the last reply and the last request, and be whole; from it the clients go on.
    private static void Check(GarnetProcess server, long[] replied, long[] sent, int round)
    {
        using RespExchange exchange = server.Connect();
        for (int client = 0; client < Clients; client++)
        {
            long number = Number(exchange, $"n{client}");
            Assert.True(number >= replied[client] && number <= sent[client], $"round {round}, client {client}: {number} is there, {replied[client]} was acknowledged, {sent[client]} was sent");
            Assert.Equal(number, Number(exchange, $"count{client}"));
            Assert.Equal(number, Number(exchange, $"padded{client}"));
            replied[client] = sent[client] = number;
        }
    }

    private static long Number(RespExchange exchange, string key)
    {
        string reply = exchange.ExecuteText("GET", key);
        return reply is "$-1\r\n" ? 0 : long.Parse(reply.Split("\r\n")[1].TrimEnd('.'), CultureInfo.InvariantCulture);
    }
}
