// What clients observe of each other's multi-key commands and transactions. Each client has a thread.
using System.Globalization;
using Xunit;

namespace Garnet.Server.Tests.Commands.Transactions;

public sealed class AtomicityTests
{
    private const int Rounds = 3000;

    [Fact]
    public void A_reader_sees_all_of_a_transaction_or_nothing()
    {
        using InProcessServer server = new();
        InProcessClient first = server.Connect();
        InProcessClient second = server.Connect();
        InProcessClient reader = server.Connect();
        using CancellationTokenSource done = new();
        Threads.Run(
            stop => Write(first, ["x", "y"], stop, done),
            stop => Write(second, ["y", "x"], stop, done),
            stop =>
            {
                while (!done.IsCancellationRequested && !stop.IsCancellationRequested)
                {
                    reader.Send([
                        .. InProcessClient.Request("MULTI"),
                        .. InProcessClient.Request("GET", "x"),
                        .. InProcessClient.Request("GET", "y"),
                        .. InProcessClient.Request("EXEC"),
                    ]);
                    string[] lines = reader.Receive().Split("\r\n");
                    string[] values = [.. lines.Skip(lines.ToList().IndexOf("*2") + 1)];
                    int half = (values.Length - 1) / 2;
                    Assert.Equal(values[..half], values[half..^1]);
                }
            }
        );
        Assert.Equal(server.Call("GET", "x"), server.Call("GET", "y"));
    }

    [Fact]
    public void A_reader_sees_all_of_an_MSET_or_nothing()
    {
        using InProcessServer server = new();
        InProcessClient first = server.Connect();
        InProcessClient second = server.Connect();
        InProcessClient reader = server.Connect();
        using CancellationTokenSource done = new();
        server.Call("MSET", "x", "0", "y", "0");
        Threads.Run(
            stop => Set(first, "x", "y", stop, done),
            stop => Set(second, "y", "x", stop, done),
            stop =>
            {
                while (!done.IsCancellationRequested && !stop.IsCancellationRequested)
                {
                    string[] lines = reader.Call("MGET", "x", "y").Split("\r\n");
                    Assert.Equal(lines[2], lines[4]);
                }
            }
        );
    }

    [Fact]
    public void RENAME_shows_neither_both_names_nor_none()
    {
        using InProcessServer server = new();
        InProcessClient renamer = server.Connect();
        InProcessClient reader = server.Connect();
        using CancellationTokenSource done = new();
        server.Call("SET", "a", "1");
        Threads.Run(
            stop =>
            {
                for (int i = 0; i < Rounds && !stop.IsCancellationRequested; i++)
                    Assert.Equal("+OK\r\n", i % 2 == 0 ? renamer.Call("RENAME", "a", "b") : renamer.Call("RENAME", "b", "a"));
                done.Cancel();
            },
            stop =>
            {
                while (!done.IsCancellationRequested && !stop.IsCancellationRequested)
                    Assert.Equal(":1\r\n", reader.Call("EXISTS", "a", "b"));
            }
        );
    }

    [Fact]
    public void Renames_in_opposite_directions_do_not_deadlock()
    {
        using InProcessServer server = new();
        InProcessClient first = server.Connect();
        InProcessClient second = server.Connect();
        server.Call("SET", "a", "1");
        Threads.Run(
            stop =>
            {
                for (int i = 0; i < Rounds && !stop.IsCancellationRequested; i++)
                    first.Call("RENAME", "a", "b");
            },
            stop =>
            {
                for (int i = 0; i < Rounds && !stop.IsCancellationRequested; i++)
                    second.Call("RENAME", "b", "a");
            }
        );
        Assert.Equal(":1\r\n", server.Call("EXISTS", "a", "b"));
    }

    [Fact]
    public void Counting_by_WATCH_and_EXEC_loses_no_increment()
    {
        using InProcessServer server = new();
        server.Call("SET", "n", "0");
        InProcessClient[] clients = [server.Connect(), server.Connect(), server.Connect()];
        int[] steps = new int[clients.Length];
        Threads.Run([.. clients.Select((client, index) => (Action<CancellationToken>)(stop => steps[index] = Count(client, stop)))]);
        Assert.All(steps, count => Assert.Equal(Rounds / 10, count));
        Assert.Equal(steps.Sum(), int.Parse(server.Call("GET", "n").Split("\r\n")[1], CultureInfo.InvariantCulture));
    }

    [Fact]
    public void A_transaction_that_runs_alone_sees_no_change_between_its_commands()
    {
        using InProcessServer server = new();
        InProcessClient writer = server.Connect();
        InProcessClient reader = server.Connect();
        InProcessClient flusher = server.Connect();
        using CancellationTokenSource done = new();
        Threads.Run(
            stop => Write(writer, ["x", "y", "z"], stop, done),
            stop =>
            {
                while (!done.IsCancellationRequested && !stop.IsCancellationRequested)
                {
                    reader.Send([
                        .. InProcessClient.Request("MULTI"),
                        .. InProcessClient.Request("DBSIZE"),
                        .. InProcessClient.Request("EXISTS", "x", "y", "z"),
                        .. InProcessClient.Request("DBSIZE"),
                        .. InProcessClient.Request("EXEC"),
                    ]);
                    string[] counts = reader.Receive().Split("\r\n")[^4..^1];
                    Assert.Contains(counts[0], (string[])[":0", ":3"]);
                    Assert.Equal(counts[0], counts[1]);
                    Assert.Equal(counts[0], counts[2]);
                }
            },
            stop =>
            {
                while (!done.IsCancellationRequested && !stop.IsCancellationRequested)
                    Assert.Equal("+OK\r\n", flusher.Call("FLUSHALL"));
            }
        );
    }

    private static void Write(InProcessClient client, string[] keys, CancellationToken stop, CancellationTokenSource done)
    {
        for (int i = 0; i < Rounds && !stop.IsCancellationRequested; i++)
        {
            client.Call("MULTI");
            foreach (string key in keys)
                client.Call("SET", key, $"{keys[0]}{i}");
            Assert.StartsWith($"*{keys.Length}", client.Call("EXEC"), StringComparison.Ordinal);
        }

        done.Cancel();
    }

    private static void Set(InProcessClient client, string one, string another, CancellationToken stop, CancellationTokenSource done)
    {
        for (int i = 0; i < Rounds && !stop.IsCancellationRequested; i++)
            Assert.Equal("+OK\r\n", client.Call("MSET", one, $"{one}{i}", another, $"{one}{i}"));
        done.Cancel();
    }

    private static int Count(InProcessClient client, CancellationToken stop)
    {
        int steps = 0;
        while (steps < Rounds / 10 && !stop.IsCancellationRequested)
        {
            client.Call("WATCH", "n");
            int seen = int.Parse(client.Call("GET", "n").Split("\r\n")[1], CultureInfo.InvariantCulture);
            client.Call("MULTI");
            client.Call("SET", "n", $"{seen + 1}");
            if (client.Call("EXEC") != "*-1\r\n")
                steps++;
        }

        return steps;
    }
}
