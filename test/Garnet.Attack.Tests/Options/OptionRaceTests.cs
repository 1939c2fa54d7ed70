// Several sessions change all options at random while clients work. One process a test; each client and each session is a thread.
using System.Collections.Concurrent;
using System.Net.Sockets;
using System.Text;
using System.Text.RegularExpressions;
using Garnet.Server.Configuration;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Attack.Tests.Options;

public sealed partial class OptionRaceTests(ITestOutputHelper output)
{
    private const int Sessions = 4;
    private const int Clients = 4;

    private int _changes;

    // Where the server listens and what it logs are how the test sees it; certificates would be needed for TLS.
    private static readonly string[] Kept = ["bind", "unixsocket", "unixsocketperm", "loglevel", "logfile", "dir"];

    [Fact]
    public async Task The_server_goes_on_while_options_change_at_random()
    {
        int seed = TestSeed.ChooseAnew(output);
        using var process = GarnetProcess.Start();
        using CancellationTokenSource ended = new();
        ConcurrentQueue<string> failures = [];
        (OptionDescriptor Option, string[] Values)[] options = [.. Changeable()];
        Assert.True(options.Length > 100, $"{options.Length}");
        Task[] clients =
        [
            .. Enumerable.Range(0, Clients).Select(i => OnThread(() => Work(process, new Random(seed + i), failures, ended.Token))),
        ];
        Task[] sessions =
        [
            .. Enumerable.Range(Clients, Sessions).Select(i => OnThread(() => Change(process, new Random(seed + i), options, failures))),
        ];
        await Task.WhenAll(sessions);
        await ended.CancelAsync();
        await Task.WhenAll(clients);

        GarnetOptions defaults = new();
        using (Caller caller = new(process))
        {
            foreach ((OptionDescriptor option, _) in options)
                Assert.Equal("+OK\r\n", caller.Call("CONFIG", "SET", option.Name, option.Format(defaults)));
            Assert.Equal("+OK\r\n", caller.Call("SET", "k", "v"));
            Assert.Equal("$1\r\nv\r\n", caller.Call("GET", "k"));
        }

        process.Signal("TERM");
        int exitCode = process.WaitForExit(TimeSpan.FromMinutes(1));
        Assert.True(_changes > Sessions * 100, $"{_changes} changes");
        Assert.True(failures.IsEmpty, string.Join(Environment.NewLine, failures));
        Assert.DoesNotContain("xception", process.Output, StringComparison.Ordinal);
        Assert.Equal(0, exitCode);
    }

    private static Task OnThread(Action action) => Task.Factory.StartNew(action, TaskCreationOptions.LongRunning);

    // Each with the values to choose from: the ends of its range and some within, its words, its default.
    private static IEnumerable<(OptionDescriptor Option, string[] Values)> Changeable()
    {
        GarnetOptions defaults = new();
        foreach (OptionDescriptor option in OptionTable.All.Where(static option => option.Mutability == Mutability.Runtime))
        {
            bool isEndpoint =
                option.Name.EndsWith("port", StringComparison.Ordinal) || option.Name.StartsWith("tls-", StringComparison.Ordinal);
            if (isEndpoint || Kept.Contains(option.Name) || option is FixedOption)
                continue;
            string[] values = option switch
            {
                _ when option.Allowed.Contains('|', StringComparison.Ordinal) => option.Allowed.Split('|'),
                IntegerOption or DelayOption when Range().Match(option.Allowed) is { Success: true } range =>
                [
                    range.Groups["least"].Value,
                    range.Groups["most"].Value,
                    "1",
                    "10",
                    "1000",
                ],
                MemoryOption => ["0", "1mb", "100mb", "10gb"],
                _ => [],
            };
            yield return (option, [.. values, option.Format(defaults)]);
        }
    }

    // One to three options at once, sometimes in a transaction; in between they are read.
    private void Change(
        GarnetProcess process,
        Random random,
        (OptionDescriptor Option, string[] Values)[] options,
        ConcurrentQueue<string> failures
    )
    {
        using Caller caller = new(process);
        for (int round = 0; round < FaultScale.Count(500, 10_000); round++)
        {
            List<string> request = ["CONFIG", "SET"];
            foreach ((OptionDescriptor option, string[] values) in random.GetItems(options, random.Next(1, 4)))
                request.AddRange([option.Name, values[random.Next(values.Length)]]);
            string[][] requests = random.Next(8) switch
            {
                0 =>
                [
                    ["MULTI"],
                    [.. request],
                    ["CONFIG", "GET", "max*"],
                    ["EXEC"],
                ],
                1 =>
                [
                    ["CONFIG", "GET", "*"],
                ],
                2 =>
                [
                    ["CONFIG", "RESETSTAT"],
                ],
                _ =>
                [
                    [.. request],
                ],
            };
            foreach (string[] each in requests)
            {
                string reply = caller.Call(each);
                Check(reply, each, failures);
                if (each is ["CONFIG", "SET", ..] && reply == "+OK\r\n")
                    Interlocked.Increment(ref _changes);
            }
        }
    }

    private static void Work(GarnetProcess process, Random random, ConcurrentQueue<string> failures, CancellationToken ended)
    {
        using Caller caller = new(process);
        while (!ended.IsCancellationRequested)
        {
            string key = $"k{random.Next(50)}";
            string[] request = random.Next(18) switch
            {
                0 => ["SET", "s" + key, new string('x', random.Next(3) == 0 ? 40_000 : 20), "EX", "100"],
                1 => ["GET", "s" + key],
                2 => ["RPUSH", "l" + key, "a", new string('b', random.Next(200))],
                3 => ["BLMOVE", "l" + key, "lk0", "LEFT", "RIGHT", "0.01"],
                4 => ["HSET", "h" + key, $"f{random.Next(300)}", "v"],
                5 => ["ZADD", "z" + key, "1", $"m{random.Next(300)}"],
                6 => ["SADD", "i" + key, $"{random.Next(1000)}"],
                7 => ["XADD", "x" + key, "*", "f", "v"],
                8 => ["PFADD", "p" + key, $"{random.Next()}"],
                9 => ["EVAL", "return server.call('incr', KEYS[1])", "1", "n" + key],
                10 => ["SCAN", "0"],
                11 => ["INFO", "everything"],
                12 => ["CLIENT", "LIST"],
                13 => ["PUBLISH", "c", "m"],
                14 => ["CLIENT", "TRACKING", random.Next(2) == 0 ? "ON" : "OFF"],
                15 => ["BGSAVE"],
                16 => ["BGREWRITEAOF"],
                _ => ["DEL", "l" + key, "z" + key],
            };
            Check(caller.Call(request), request, failures);
        }
    }

    // Refusals are replies like others; what was not foreseen is none.
    private static void Check(string reply, string[] request, ConcurrentQueue<string> failures)
    {
        if (reply.Contains("the command failed for a reason", StringComparison.Ordinal))
            failures.Enqueue($"{string.Join(' ', request)[..Math.Min(200, string.Join(' ', request).Length)]}: {reply}");
    }

    [GeneratedRegex(@"(?<least>-?\d+) to (?<most>\d+)$")]
    private static partial Regex Range();

    // Options end connections, too: by their number, their memory, their idleness.
    private sealed class Caller(GarnetProcess process) : IDisposable
    {
        private RespExchange? _connection;

        public string Call(params string[] request)
        {
            while (true)
            {
                try
                {
                    _connection ??= process.Connect();
                    if (_connection.Execute(request) is { } reply && !reply.AsSpan().StartsWith("-ERR max number of clients"u8))
                        return Encoding.UTF8.GetString(reply);
                }
                catch (Exception e) when (e is IOException or SocketException)
                {
                    // Ended meanwhile.
                }

                Dispose();
                // Where the server is gone, nobody will answer.
                if (process.HasEnded)
                    throw new InvalidOperationException(process.Output);
                Thread.Sleep(1);
            }
        }

        public void Dispose()
        {
            _connection?.Dispose();
            _connection = null;
        }
    }
}
