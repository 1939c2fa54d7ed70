// MIGRATE while its connections are cut, its clients are killed and paused, and the keys are written. Servers in the test's process; each
// client is a thread.
using System.Collections.Concurrent;
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Replication;

public sealed class MigrateAttackTests(ITestOutputHelper output)
{
    private const int Keys = 200;
    private const int Movers = 4;
    private const int Writers = 2;

    // As the parts of an error that a client of MIGRATE may get here: a cut, a timeout, a key that has arrived before its cut.
    private static readonly string[] Expected = ["+OK", "+NOKEY", "-IOERR", "-ERR Target instance replied with error: BUSYKEY"];

    private readonly ConcurrentDictionary<string, bool> _arrived = new();
    private readonly ConcurrentQueue<string> _written = [];
    private readonly ConcurrentQueue<string> _unexpected = [];

    [Fact]
    public async Task No_write_is_lost_whatever_ends_a_transfer()
    {
        int seed = TestSeed.ChooseAnew(output);
        DirectoryInfo folder = Directory.CreateTempSubdirectory("garnet-migrate-");
        try
        {
            await AttackAsync(seed, folder.FullName);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private async Task AttackAsync(int seed, string folder)
    {
        // It saves.
        using var source = ReplicationNode.Start(ReplicationNode.Ours, options => options.Dir = folder);
        using var target = ReplicationNode.Start(ReplicationNode.Ours);
        Random cuts = new(seed);
        // Before the first reply, inside one, or between two.
        using CuttingProxy proxy = new(target.Port, () => Locked(cuts, 2) == 0 ? Locked(cuts, 200) : long.MaxValue);
        using CancellationTokenSource ended = new();
        int number = 0;
        List<Task> others =
        [
            .. Enumerable
                .Range(0, Writers)
                .Select(i => OnThread(random => Write(source, random, () => Interlocked.Increment(ref number), ended.Token), seed + i + 1)),
            OnThread(_ => Take(target, ended.Token), seed),
            OnThread(random => Disturb(source, random, ended.Token), seed + 10),
        ];
        await Task.WhenAll(Enumerable.Range(0, Movers).Select(i => OnThread(random => Move(source, proxy.Port, random), seed + 20 + i)));
        await ended.CancelAsync();
        await Task.WhenAll(others);

        source.Call("CLIENT", "UNPAUSE");
        Collect(target);
        Assert.NotEmpty(_arrived);
        Assert.True(proxy.Cuts > 0);
        Collect(source);
        Assert.Empty(_unexpected);
        Assert.DoesNotContain(_written, each => !_arrived.ContainsKey(each));
        ReplicationNode.Await(() => source.Info("clients")["blocked_clients"] == "0");
    }

    private static int Locked(Random random, int limit)
    {
        lock (random)
            return random.Next(limit);
    }

    private static Task OnThread(Action<Random> action, int seed) =>
        Task.Factory.StartNew(() => action(new Random(seed)), TaskCreationOptions.LongRunning);

    private void Move(ReplicationNode source, int port, Random random)
    {
        using Caller caller = new(source);
        for (int round = 0; round < FaultScale.Count(150, 3000); round++)
        {
            string[] keys = [.. Enumerable.Range(0, random.Next(1, 30)).Select(_ => $"k{random.Next(Keys)}").Distinct()];
            string timeout = random.Next(5) == 0 ? "1" : "5000";
            string? reply = caller.TryCall(["MIGRATE", "127.0.0.1", $"{port}", "", "0", timeout, "KEYS", .. keys]);
            if (reply is not null && !Expected.Any(each => reply.StartsWith(each, StringComparison.Ordinal)))
                _unexpected.Enqueue(reply);
        }
    }

    // What is not answered may have been written or not.
    private void Write(ReplicationNode source, Random random, Func<int> next, CancellationToken ended)
    {
        using Caller caller = new(source);
        while (!ended.IsCancellationRequested)
        {
            string element = next().ToString(CultureInfo.InvariantCulture);
            if (caller.TryCall("RPUSH", $"k{random.Next(Keys)}", element)?.StartsWith(':') == true)
                _written.Enqueue(element);
        }
    }

    private void Take(ReplicationNode target, CancellationToken ended)
    {
        while (!ended.IsCancellationRequested)
            Collect(target);
    }

    private void Collect(ReplicationNode node)
    {
        using RespExchange client = node.Connect();
        for (int key = 0; key < Keys; key++)
        {
            client.ExecuteText("MULTI");
            client.ExecuteText("LRANGE", $"k{key}", "0", "-1");
            client.ExecuteText("DEL", $"k{key}");
            string[] words = client.ExecuteText("EXEC").Split("\r\n");
            foreach (string word in words.Where(static word => word.Length > 0 && char.IsAsciiDigit(word[0])))
                _arrived[word] = true;
        }
    }

    private static void Disturb(ReplicationNode source, Random random, CancellationToken ended)
    {
        using Caller caller = new(source);
        while (!ended.IsCancellationRequested)
        {
            caller.TryCall(
                random.Next(4) switch
                {
                    0 => ["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"],
                    1 => ["CLIENT", "PAUSE", "5", random.Next(2) == 0 ? "WRITE" : "ALL"],
                    2 => ["BGSAVE"],
                    _ => ["EVAL", "for i = 1, 20000 do end return server.call('dbsize')", "0"],
                }
            );
            Thread.Sleep(random.Next(20));
        }
    }

    // Its connection is killed at times; it opens another.
    private sealed class Caller(ReplicationNode node) : IDisposable
    {
        private RespExchange? _connection;

        public string? TryCall(params string[] request)
        {
            try
            {
                _connection ??= node.Connect();
                if (_connection.Execute(request) is { } reply)
                    return Encoding.ASCII.GetString(reply);
            }
            catch (Exception e) when (e is IOException or SocketException)
            {
                // Killed.
            }

            Dispose();
            return null;
        }

        public void Dispose()
        {
            _connection?.Dispose();
            _connection = null;
        }
    }
}
