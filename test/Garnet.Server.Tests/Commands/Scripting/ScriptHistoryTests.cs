// Scripts with declared and undeclared keys and plain commands on several threads: their histories are linearizable.
using System.Globalization;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Commands.Scripting;

/// <summary>
/// Threads run windows of a few operations on two keys at the same time, and meet between windows. Each window must have an order that
/// explains all replies and respects which operation ended before another began, from a state in which the window before can have ended
/// (Wing and Gong's search).
/// </summary>
public sealed class ScriptHistoryTests(ITestOutputHelper output)
{
    private const int Threads = 4;
    private const int OperationsPerWindow = 3;

    private const string Transfer =
        "local a, b = redis.call('get', KEYS[1]), redis.call('get', KEYS[2]) redis.call('mset', KEYS[1], a - ARGV[1], KEYS[2], b + ARGV[1]) "
        + "return redis.call('mget', KEYS[1], KEYS[2])";

    private const string TransferUndeclared =
        "local a, b = redis.call('get', ARGV[2]), redis.call('get', ARGV[3]) redis.call('set', ARGV[2], a - ARGV[1]) "
        + "redis.call('set', ARGV[3], b + ARGV[1]) return redis.call('mget', ARGV[2], ARGV[3])";

    private const string Compare =
        "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('set', KEYS[1], ARGV[2]) return 1 end return 0";

    private static readonly string Library = $"#!lua name=l\nserver.register_function('transfer', function(KEYS, ARGV) {Transfer} end)";

    [Fact]
    public void Histories_are_linearizable()
    {
        int seed = TestSeed.ChooseAnew(output);
        int windows = FaultScale.Count(300, 100_000);
        using InProcessServer server = new();
        InProcessClient[] clients = [.. Enumerable.Range(0, Threads).Select(_ => server.Connect())];
        server.Call("MSET", "x", "0", "y", "0");
        server.Call("FUNCTION", "LOAD", Library);
        var window = new List<Operation>[Threads];
        HashSet<(long X, long Y)> states = [(0, 0)];
        long clock = 0;
        string? problem = null;
        using var barrier = new Barrier(
            Threads,
            done =>
            {
                states = Ends([.. window.SelectMany(static each => each)], states);
                if (states.Count == 0)
                {
                    problem ??=
                        $"seed {seed}, window {done.CurrentPhaseNumber}: {string.Join("; ", window.SelectMany(static each => each))}";
                }
            }
        );
        Thread[] threads = [.. Enumerable.Range(0, Threads).Select(number => new Thread(() => Work(number)))];
        foreach (Thread thread in threads)
            thread.Start();
        foreach (Thread thread in threads)
            thread.Join();
        Assert.Null(problem);

        void Work(int number)
        {
            var random = new Random(unchecked((seed * Threads) + number));
            for (int i = 0; i < windows && problem is null; i++)
            {
                List<Operation> operations = [];
                for (int j = 0; j < OperationsPerWindow; j++)
                {
                    (string[] request, Step step) = Choose(random);
                    long began = Interlocked.Increment(ref clock);
                    string reply = clients[number].Call(request);
                    operations.Add(new Operation(string.Join(' ', request), step, reply, began, Interlocked.Increment(ref clock)));
                }

                window[number] = operations;
                barrier.SignalAndWait();
            }

            // Those that still wait for the others must not wait for this one.
            barrier.RemoveParticipant();
        }
    }

    // What an operation does to the two values, and its reply.
    private delegate (long X, long Y, string Reply) Step(long x, long y);

    private static (string[] Request, Step Step) Choose(Random random)
    {
        string n = random.Next(1, 4).ToString(CultureInfo.InvariantCulture);
        long number = long.Parse(n, CultureInfo.InvariantCulture);
        bool isReversed = random.Next(2) == 0;
        (string first, string second) = isReversed ? ("y", "x") : ("x", "y");
        Step transfer = (x, y) =>
            isReversed ? (x + number, y - number, Two(y - number, x + number)) : (x - number, y + number, Two(x - number, y + number));
        return random.Next(45) switch
        {
            43 => (["SCRIPT", "FLUSH"], static (x, y) => (x, y, "+OK\r\n")),
            44 => (["FUNCTION", "LOAD", "REPLACE", Library], static (x, y) => (x, y, "$1\r\nl\r\n")),
            var kind => ChooseOnKeys(kind % 9),
        };

        (string[] Request, Step Step) ChooseOnKeys(int kind) =>
            kind switch
            {
                0 or 1 => (["EVAL", Transfer, "2", first, second, n], transfer),
                2 => (["EVAL", TransferUndeclared, "0", n, first, second], transfer),
                3 => (["FCALL", "transfer", "2", first, second, n], transfer),
                4 => (["EVAL", Compare, "1", "x", "0", n], (x, y) => x == 0 ? (number, y, ":1\r\n") : (x, y, ":0\r\n")),
                5 => (["MSET", "x", n, "y", "0"], (_, _) => (number, 0, "+OK\r\n")),
                6 => (["MGET", "x", "y"], static (x, y) => (x, y, Two(x, y))),
                7 => (["INCRBY", "y", n], (x, y) => (x, y + number, $":{y + number}\r\n")),
                _ => (["GET", "x"], static (x, y) => (x, y, Bulk(x))),
            };
    }

    private static string Two(long one, long other) => "*2\r\n" + Bulk(one) + Bulk(other);

    private static string Bulk(long number)
    {
        string text = number.ToString(CultureInfo.InvariantCulture);
        return $"${text.Length}\r\n{text}\r\n";
    }

    private static HashSet<(long X, long Y)> Ends(Operation[] operations, HashSet<(long X, long Y)> starts)
    {
        HashSet<(long, long)> ends = [];
        HashSet<(int, long, long)> seen = [];
        foreach ((long x, long y) in starts)
            Explore(operations, 0, x, y, ends, seen);
        return ends;
    }

    private static void Explore(
        Operation[] operations,
        int done,
        long x,
        long y,
        HashSet<(long, long)> ends,
        HashSet<(int, long, long)> seen
    )
    {
        if (!seen.Add((done, x, y)))
            return;
        if (done == (1 << operations.Length) - 1)
        {
            ends.Add((x, y));
            return;
        }

        // An operation can be next if no other that is left ended before it began.
        long firstEnd = operations.Where((_, i) => (done & (1 << i)) == 0).Min(static each => each.Ended);
        for (int i = 0; i < operations.Length; i++)
        {
            if ((done & (1 << i)) != 0 || operations[i].Began > firstEnd)
                continue;
            (long nextX, long nextY, string reply) = operations[i].Step(x, y);
            if (reply == operations[i].Reply)
                Explore(operations, done | (1 << i), nextX, nextY, ends, seen);
        }
    }

    private sealed record Operation(string Request, Step Step, string Reply, long Began, long Ended)
    {
        public override string ToString() => $"{Began}-{Ended} {Request} = {Reply.Replace("\r\n", " ", StringComparison.Ordinal)}";
    }
}
