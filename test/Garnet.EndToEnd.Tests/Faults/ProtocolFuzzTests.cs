// Corrupted requests over real sockets: the replies must not depend on how the bytes were split or on the transport. Each test has its own
// processes.
using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Faults;

[Collection(FaultsCollection.Name)]
public sealed partial class ProtocolFuzzTests(ITestOutputHelper output)
{
    private const long AllowedGrowth = 128L << 20;

    [Theory]
    [InlineData("")]
    [InlineData("secret")]
    public void Corrupted_pipelines_get_the_same_replies_however_they_are_split(string password)
    {
        int seed = TestSeed.ChooseAnew(output);
        string[] settings = password.Length > 0 ? ["--requirepass", password] : [];
        using var epoll = new FaultTarget("epoll", settings);
        using var sockets = new FaultTarget("sockets", settings);
        epoll.AssertAlive();
        long before = epoll.ResidentBytes;
        long start = Stopwatch.GetTimestamp();
        int number = 0;
        for (; Stopwatch.GetElapsedTime(start) < FaultScale.FuzzTime; number++)
        {
            var random = new Random(unchecked(seed + number));
            byte[] input = DrawInput(random, number);
            byte[] whole = Exchange(epoll, client => client.TrySend(input));
            AssertReplies(whole, number, seed);
            AssertSame(
                whole,
                Exchange(epoll, client => RespFuzzing.SendInPieces(client, input, random)),
                input,
                "cut, epoll",
                seed + number
            );
            AssertSame(
                whole,
                Exchange(sockets, client => RespFuzzing.SendInPieces(client, input, random)),
                input,
                "cut, sockets",
                seed + number
            );
        }

        output.WriteLine($"{number} inputs, each three times");
        FaultTarget.Await(
            () => epoll.Info("connected_clients") == 1 && sockets.Info("connected_clients") == 1,
            () => "A connection stayed."
        );
        epoll.AwaitResident(before + AllowedGrowth);
        epoll.AssertEndsWell();
        sockets.AssertEndsWell();
    }

    [Fact]
    public void A_valid_pipeline_split_at_every_byte_is_answered_in_order()
    {
        using var target = new FaultTarget("epoll");
        byte[] input = [.. Pipeline(new Random(7), 12), .. "DISCARD\r\n"u8, .. Encoding.ASCII.GetBytes(Mark(0))];
        byte[] whole = Exchange(target, client => client.TrySend(input));
        for (int cut = 1; cut < input.Length; cut += FaultScale.Count(1 + (input.Length / 300), 1))
        {
            byte[] answered = Exchange(
                target,
                client =>
                {
                    client.Send(input.AsSpan(0, cut));
                    // So that the parts mostly arrive apart; the answer must be the same in any case.
                    Thread.Sleep(1);
                    client.TrySend(input.AsSpan(cut));
                }
            );
            AssertSame(whole, answered, input, $"cut at {cut}", 7);
        }

        Assert.Contains("mark-0", Encoding.Latin1.GetString(whole));
        target.AssertEndsWell();
    }

    private static byte[] DrawInput(Random random, int number)
    {
        byte[] pipeline = Pipeline(random, random.Next(1, 20));
        byte[] spoiled = random.Next(10) == 0 ? pipeline : RespFuzzing.Mutate(pipeline, random);
        return [.. spoiled, .. "\r\n"u8, .. Encoding.ASCII.GetBytes(Mark(number))];
    }

    private static string Mark(int number)
    {
        string mark = string.Create(CultureInfo.InvariantCulture, $"mark-{number}");
        return $"*2\r\n$4\r\nECHO\r\n${mark.Length}\r\n{mark}\r\n";
    }

    private static byte[] Pipeline(Random random, int commands)
    {
        string[] values = ["", "v", "12", new('x', 300), new('y', 17_000), new('z', 70_000)];
        using var request = new MemoryStream();
        for (int i = 0; i < commands; i++)
        {
            string key = $"k{random.Next(3)}";
            string value = values[random.Next(random.Next(4) == 0 ? values.Length : 4)];
            string[] command = random.Next(14) switch
            {
                0 => ["MULTI"],
                1 => ["EXEC"],
                2 => ["GET", key],
                3 => ["APPEND", key, value],
                4 => ["INCR", key],
                5 => ["MSET", key, value, "k2", value],
                6 => ["MGET", "k0", "k1", "k2"],
                7 => ["STRLEN", key],
                8 => ["WATCH", key],
                9 => ["PING", value],
                10 => ["DEL", key],
                11 => ["AUTH", "secret"],
                _ => ["SET", key, value],
            };
            if (random.Next(8) == 0 && value.Length < 1000)
                request.Write(Encoding.ASCII.GetBytes(string.Join(' ', command.Select(word => word.Length == 0 ? "\"\"" : word)) + "\r\n"));
            else
                RespExchange.Encode(request, [.. command.Select(Encoding.ASCII.GetBytes)]);
        }

        return request.ToArray();
    }

    // Everything received for an input on an empty server, up to the end of the connection, which the server must close by itself.
    private static byte[] Exchange(FaultTarget target, Action<RespExchange> send)
    {
        using (RespExchange cleaner = target.Connect())
            Assert.Equal("+OK\r\n", cleaner.ExecuteText("FLUSHALL"));
        using RespExchange client = target.Process.Connect();
        send(client);
        client.FinishSending();
        using var replies = new MemoryStream();
        while (client.ReadReply() is { } reply)
            replies.Write(reply);
        return Encoding.Latin1.GetBytes(ClientId().Replace(Encoding.Latin1.GetString(replies.ToArray()), "id\r\n:0"));
    }

    // HELLO's reply contains the connection's ID.
    [GeneratedRegex(@"id\r\n:\d+")]
    private static partial Regex ClientId();

    // The last request gets a reply, unless it was taken as a part of another, or the connection was closed with an error.
    private static void AssertReplies(byte[] replies, int number, int seed)
    {
        string text = Encoding.Latin1.GetString(replies);
        int mark = text.IndexOf($"mark-{number}\r\n", StringComparison.Ordinal);
        bool isEnd =
            mark < 0 || mark + $"mark-{number}\r\n".Length == text.Length || text.Contains("-ERR Protocol error", StringComparison.Ordinal);
        Assert.True(isEnd, $"seed {seed + number}: replies behind the last one: {text}");
    }

    private static void AssertSame(byte[] expected, byte[] actual, byte[] input, string how, int seed) =>
        Assert.True(
            expected.AsSpan().SequenceEqual(actual),
            $"seed {seed}, {how}:{Environment.NewLine}{Show(input)}{Environment.NewLine}at once: {Show(expected)}{Environment.NewLine}now: {Show(actual)}"
        );

    private static string Show(byte[] bytes) =>
        Encoding
            .Latin1.GetString(bytes.Length > 2000 ? [.. bytes[..1000], .. "..."u8, .. bytes[^1000..]] : bytes)
            .Replace("\r\n", "|", StringComparison.Ordinal)
            .Replace("\0", "\\0", StringComparison.Ordinal);
}
