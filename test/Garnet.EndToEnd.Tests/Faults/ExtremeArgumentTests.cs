// Every command with arguments from a pool of edge cases: one reply each, no exception, no latch left held. Each test has its own process.
using System.Globalization;
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Faults;

public sealed class ExtremeArgumentTests(ITestOutputHelper output)
{
    private const int MaxArguments = 6;

    // Keeps values small, so that expensive requests stay rare; the largest values have separate tests.
    private static readonly string[] Settings = ["--proto-max-bulk-len", "1mb", "--enable-debug-command", "yes", "--io-threads", "2"];

    [Fact]
    public void Every_command_answers_every_argument_once()
    {
        int seed = TestSeed.ChooseAnew(output);
        using var target = new FaultTarget("epoll", Settings);
        string[] commands = Commands(target);
        Assert.True(commands.Length > 100);
        Walk(target, commands.Except(["multi", "exec", "discard"]), new Random(seed));
        AssertNothingIsHeld(target);
        target.AssertEndsWell();
    }

    [Fact]
    public void Every_command_answers_once_inside_a_transaction()
    {
        int seed = TestSeed.ChooseAnew(output);
        using var target = new FaultTarget("epoll", Settings);
        RunTransactions(target, Commands(target), new Random(seed), FaultScale.Count(300, 20_000));
        AssertNothingIsHeld(target);
        target.AssertEndsWell();
    }

    [Fact]
    public async Task Four_concurrent_clients_on_few_keys_are_all_answered()
    {
        int seed = TestSeed.ChooseAnew(output);
        using var target = new FaultTarget("epoll", Settings);
        string[] commands = Commands(target);
        await Task.WhenAll(
            Enumerable
                .Range(0, 4)
                .Select(number =>
                    Task.Run(() =>
                    {
                        var random = new Random(seed + number);
                        Walk(target, commands.Except(["multi", "exec", "discard"]), random);
                        RunTransactions(target, commands, random, FaultScale.Count(100, 10_000));
                    })
                )
        );
        AssertNothingIsHeld(target);
        target.AssertEndsWell();
    }

    [Fact]
    public void Every_setting_rejects_or_accepts_every_value()
    {
        using var target = new FaultTarget("epoll");
        using RespExchange client = target.Connect();
        string[] settings = Bulks(client.ExecuteText("CONFIG", "GET", "*"));
        for (int i = 0; i < settings.Length; i += 2)
        {
            foreach (byte[] value in NastyArguments.AllKeys)
            {
                byte[]? reply = client.Execute([.. new[] { "CONFIG", "SET", settings[i] }.Select(Encoding.Latin1.GetBytes), value]);
                Assert.True(reply is [(byte)'+' or (byte)'-', ..], settings[i]);
                if (reply[0] == '+')
                    client.ExecuteText("CONFIG", "SET", settings[i], settings[i + 1]);
            }
        }

        target.AssertAlive();
        target.AssertEndsWell();
    }

    [Fact]
    public void Corrupt_HyperLogLogs_are_refused_or_counted()
    {
        var random = new Random(TestSeed.ChooseAnew(output));
        using var target = new FaultTarget("epoll");
        using RespExchange client = target.Connect();
        for (int round = 0; round < FaultScale.Count(500, 100_000); round++)
        {
            client.ExecuteText(["PFADD", "h", .. Enumerable.Range(0, random.Next(200)).Select(i => $"{round}:{i}")]);
            if (random.Next(3) == 0)
                client.ExecuteText("PFDEBUG", "TODENSE", "h");
            for (int i = random.Next(4); i >= 0; i--)
            {
                byte[] garbage = new byte[random.Next(1, 8)];
                random.NextBytes(garbage);
                client.Execute([
                    .. new[] { "SETRANGE", "h", $"{random.Next(random.Next(4) == 0 ? 13_000 : 40)}" }.Select(Encoding.Latin1.GetBytes),
                    garbage,
                ]);
            }

            if (random.Next(4) == 0)
                client.ExecuteText("SET", "h", client.ExecuteText("GETRANGE", "h", "0", $"{random.Next(60)}"));
            AssertOneReplyEach(
                client,
                "PFCOUNT h",
                "PFCOUNT h other",
                "PFMERGE merged h",
                "PFADD h x y z",
                "PFDEBUG GETREG h",
                "PFDEBUG DECODE h",
                "PFDEBUG ENCODING h",
                "PFDEBUG TODENSE h",
                "PFMERGE h",
                "DEL h merged"
            );
        }

        target.AssertAlive();
        target.AssertEndsWell();
    }

    private static void AssertOneReplyEach(RespExchange client, params string[] commands)
    {
        foreach (string command in commands)
            Assert.NotNull(client.Execute(command.Split(' ')));
        Assert.Equal("$4\r\nmark\r\n", client.ExecuteText("ECHO", "mark"));
    }

    private static string[] Commands(FaultTarget target)
    {
        using RespExchange client = target.Connect();
        return [.. Bulks(client.ExecuteText("COMMAND", "LIST")).Where(NastyArguments.IsCallable)];
    }

    // The elements of an array of bulk strings without line breaks.
    private static string[] Bulks(string reply)
    {
        string[] lines = reply.Split("\r\n");
        return [.. Enumerable.Range(0, (lines.Length - 2) / 2).Select(i => lines[(2 * i) + 2])];
    }

    // Each command is followed by its own ECHO, so that a missing or extra reply is detected where it happens.
    private static void Walk(FaultTarget target, IEnumerable<string> commands, Random random)
    {
        var arguments = new NastyArguments(random);
        using RespExchange client = target.Connect();
        int number = 0;
        foreach (string command in commands)
        {
            for (int count = 0; count <= MaxArguments; count++)
            {
                for (int i = FaultScale.Count(5, 200); i > 0; i--)
                {
                    List<byte[]> call = arguments.Call(command, count);
                    string mark = $"mark {number++}";
                    using var request = new MemoryStream();
                    RespExchange.Encode(request, call);
                    RespExchange.Encode(request, ["ECHO"u8.ToArray(), Encoding.ASCII.GetBytes(mark)]);
                    client.Send(request.GetBuffer().AsSpan(0, (int)request.Length));
                    AssertAnswered(client, call, mark);
                }
            }
        }
    }

    private static void RunTransactions(FaultTarget target, string[] commands, Random random, int transactions)
    {
        var arguments = new NastyArguments(random);
        using RespExchange client = target.Connect();
        Dictionary<string, int> arities = commands.ToDictionary(command => command, command => Arity(client, command));
        int executed = 0;
        for (int number = 0; number < transactions; number++)
        {
            List<List<byte[]>> calls =
            [
                ["MULTI"u8.ToArray()],
            ];
            if (random.Next(3) == 0)
                calls.Insert(0, arguments.Call("watch", random.Next(1, 4)));
            for (int i = random.Next(8); i >= 0; i--)
            {
                // A rejected argument count aborts the transaction, so only few commands have one.
                string command = commands[random.Next(commands.Length)];
                int least = Math.Max(0, Math.Abs(arities[command]) - command.Split('|').Length);
                int count =
                    random.Next(200) == 0 ? random.Next(MaxArguments + 1)
                    : arities[command] < 0 ? least + random.Next(4)
                    : least;
                calls.Add(arguments.Call(command, count));
            }

            calls.Add(["EXEC"u8.ToArray()]);
            string mark = $"mark {number}";
            using var request = new MemoryStream();
            calls.ForEach(call => RespExchange.Encode(request, call));
            RespExchange.Encode(request, ["DISCARD"u8.ToArray()]);
            RespExchange.Encode(request, ["ECHO"u8.ToArray(), Encoding.ASCII.GetBytes(mark)]);
            client.Send(request.GetBuffer().AsSpan(0, (int)request.Length));
            byte[]? reply = null;
            foreach (List<byte[]> call in calls)
            {
                reply = client.ReadReply();
                Assert.True(reply is not null, Text(call));
            }

            executed += reply is [(byte)'*', ..] ? 1 : 0;
            AssertAnswered(client, ["DISCARD"u8.ToArray()], mark);
        }

        Assert.True(executed > transactions / 3, $"only {executed} of {transactions} transactions were executed");
    }

    // The second element of the command's entry.
    private static int Arity(RespExchange client, string command) =>
        int.Parse(client.ExecuteText("COMMAND", "INFO", command).Split("\r\n")[4][1..], CultureInfo.InvariantCulture);

    private static void AssertAnswered(RespExchange client, List<byte[]> call, string mark)
    {
        try
        {
            Assert.True(client.ReadReply() is not null, $"The connection was closed by: {Text(call)}");
            Assert.Equal($"${mark.Length}\r\n{mark}\r\n", Encoding.Latin1.GetString(client.ReadReply() ?? []));
        }
        catch (Exception failure)
        {
            throw new InvalidOperationException($"After: {Text(call)}", failure);
        }
    }

    // A latch left held would hang the next writer of its key.
    private static void AssertNothingIsHeld(FaultTarget target)
    {
        using RespExchange client = target.Connect();
        foreach (byte[] key in NastyArguments.AllKeys)
        {
            Assert.Equal("+OK\r\n"u8.ToArray(), client.Execute(["SET"u8.ToArray(), key, "v"u8.ToArray()]));
            Assert.Equal("$1\r\nv\r\n"u8.ToArray(), client.Execute(["GET"u8.ToArray(), key]));
        }

        Assert.Equal("+OK\r\n", client.ExecuteText("FLUSHALL"));
        Assert.Equal(":0\r\n", client.ExecuteText("DBSIZE"));
    }

    private static string Text(List<byte[]> call) =>
        string.Join(
            ' ',
            call.Select(argument =>
                argument.Length > 60
                    ? $"<{argument.Length} bytes>"
                    : '"'
                        + Encoding
                            .Latin1.GetString(argument)
                            .Replace("\r", "\\r", StringComparison.Ordinal)
                            .Replace("\n", "\\n", StringComparison.Ordinal)
                            .Replace("\0", "\\0", StringComparison.Ordinal)
                        + '"'
            )
        );
}
