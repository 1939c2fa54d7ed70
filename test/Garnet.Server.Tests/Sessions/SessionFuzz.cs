// Corrupted pipelines against whole sessions without sockets: sent at once or byte by byte, they must give the same replies.
// GARNET_FUZZ_ROUNDS runs more of them.
using System.Globalization;
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Sessions;

public sealed class SessionFuzz(ITestOutputHelper output)
{
    private const int UsualRounds = 3000;
    private const int RoundsOfAServer = 10_000;
    private const long AllowedGrowth = 64L << 20;

    [Fact]
    public void Replies_are_the_same_at_once_and_byte_by_byte()
    {
        int seed = TestSeed.ChooseAnew(output);
        long rounds = Environment.GetEnvironmentVariable("GARNET_FUZZ_ROUNDS") is { Length: > 0 } text
            ? long.Parse(text, CultureInfo.InvariantCulture)
            : UsualRounds;
        long before = 0;
        for (long round = 0; round < rounds; round += RoundsOfAServer)
        {
            using (
                InProcessServer whole = new(),
                    cut = new()
            )
            {
                for (long i = round; i < Math.Min(rounds, round + RoundsOfAServer); i++)
                    CompareAnswers(whole, cut, unchecked(seed + (int)i));
                Assert.Equal(0, whole.Store.Statistics.BlockBytes + cut.Store.Statistics.BlockBytes);
            }

            long resident = Environment.WorkingSet;
            before = round == 0 ? resident : before;
            Assert.True(resident - before < AllowedGrowth, $"{(resident - before) >> 20} MB more after {round} rounds");
        }

        output.WriteLine($"{rounds} inputs, each twice");
    }

    private static void CompareAnswers(InProcessServer whole, InProcessServer cut, int seed)
    {
        var random = new Random(seed);
        byte[] input = Draw(random);
        string expected = Answer(whole, client => client.Send(input));
        string actual = Answer(
            cut,
            client =>
            {
                for (int i = 0; i < input.Length && !client.IsClosed; i++)
                    client.Send(input.AsSpan(i, 1));
            }
        );
        Assert.True(
            expected == actual,
            $"seed {seed}: {Encoding.Latin1.GetString(input)}{Environment.NewLine}at once: {expected}{Environment.NewLine}byte by byte: {actual}"
        );
    }

    private static string Answer(InProcessServer server, Action<InProcessClient> send)
    {
        Assert.StartsWith(":", server.Call("DEL", "k0", "k1", "k2"), StringComparison.Ordinal);
        using InProcessClient client = new(server.Server, protocolVersion: 2);
        send(client);
        return client.Receive();
    }

    private static byte[] Draw(Random random)
    {
        using var request = new MemoryStream();
        for (int i = random.Next(1, 8); i > 0; i--)
            Append(request, random);
        byte[] pipeline = request.ToArray();
        return random.Next(8) == 0 ? pipeline : RespFuzzing.Mutate(pipeline, random);
    }

    private static void Append(Stream request, Random random)
    {
        string key = $"k{random.Next(3)}";
        string value = random.Next(6) switch
        {
            0 => "",
            1 => "12",
            2 => new string('x', random.Next(100)),
            _ => "value",
        };
        string[] command = random.Next(13) switch
        {
            0 => ["MULTI"],
            1 => ["EXEC"],
            2 => ["GET", key],
            3 => ["APPEND", key, value],
            4 => ["INCR", key],
            5 => ["MSET", key, value, "k2", value],
            6 => ["MGET", "k0", "k1", "k2"],
            7 => ["RPUSH", key, value],
            8 => ["WATCH", key],
            9 => ["PING", value],
            10 => ["DEL", key],
            11 => ["HSET", key, value, value],
            _ => ["SET", key, value],
        };
        if (random.Next(6) == 0)
            request.Write(Encoding.ASCII.GetBytes(string.Join(' ', command.Select(word => word.Length == 0 ? "\"\"" : word)) + "\r\n"));
        else
            RespExchange.Encode(request, [.. command.Select(Encoding.ASCII.GetBytes)]);
    }
}
