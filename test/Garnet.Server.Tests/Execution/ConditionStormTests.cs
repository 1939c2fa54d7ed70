// Commands of several clients while the server's state changes all the time. Seeded; a thread for each client, and one for the state.
using System.Globalization;
using Garnet.Server.Basics;
using Garnet.Server.Tests.Commands;
using Garnet.Server.Tests.Modules;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Execution;

/// <summary>
/// Each client counts on a key of its own, in every way that a client has. What was answered has happened, what was refused has not, and
/// nobody waits for ever.
/// </summary>
public sealed class ConditionStormTests(ITestOutputHelper output)
{
    private const int Clients = 4;
    private const int Changes = 100;

    [Fact]
    public void What_is_refused_changes_nothing_and_what_is_answered_has_happened()
    {
        int seed = TestSeed.ChooseAnew(output);
        using InProcessServer server = new();
        server.Call(
            "FUNCTION",
            "LOAD",
            "#!lua name=l\nserver.register_function('f', function(keys) return server.call('incr', keys[1]) end)"
        );
        server.Call("ACL", "SETUSER", "caller", "on", "nopass", "~c*", "+@all");
        // All are connected here: clients are told apart by who was connected before.
        using InProcessClient operators = server.Connect();
        Counter[] counters = [.. Enumerable.Range(0, Clients).Select(at => new Counter(server, at, seed + at))];
        Thread[] threads = [.. counters.Select(static counter => new Thread(counter.Run))];
        foreach (Thread thread in threads)
            thread.Start();
        StateChanges changes = new(server, operators, new Random(seed));
        for (int i = 0; i < Changes; i++)
            changes.Next(() => counters.Sum(static counter => Volatile.Read(ref counter.Attempts)));
        foreach (Counter counter in counters)
            counter.Stop();
        foreach (Thread thread in threads)
            thread.Join();

        foreach (Counter counter in counters)
        {
            Assert.Null(counter.Failure);
            Assert.Equal(counter.Answered == 0 ? Replies.Null : Replies.Bulk(Text(counter.Answered)), server.Call("GET", counter.Key));
        }

        output.WriteLine($"{counters.Sum(static each => each.Answered)} answered, {counters.Sum(static each => each.Refused)} refused");
        Assert.True(counters.Sum(static each => each.Answered) > 0 && counters.Sum(static each => each.Refused) > 0);
        // The barrier is free.
        Assert.Equal(Replies.Ok, server.Call("FLUSHALL"));
    }

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);

    private sealed class Counter(InProcessServer server, int at, int seed)
    {
        private readonly Random _random = new(seed);
        private readonly InProcessClient _client = server.Connect();
        private volatile bool _isStopped;

        public int Attempts;

        public string Key => $"c{at}";

        public long Answered { get; private set; }

        public long Refused { get; private set; }

        public Exception? Failure { get; private set; }

        public void Stop() => _isStopped = true;

        public void Run()
        {
            try
            {
                Call(_client, "AUTH", "caller", "any");
                while (!_isStopped)
                {
                    if (Call(_client))
                        Answered++;
                    else
                        Refused++;
                    Interlocked.Increment(ref Attempts);
                }
            }
            catch (Exception e)
            {
                Failure = e;
            }
        }

        // Whether the command has run.
        private bool Call(InProcessClient client)
        {
            switch (_random.Next(6))
            {
                case 0:
                    return Call(client, "INCR", Key).StartsWith(':');
                case 1:
                    bool isOpen = Call(client, "MULTI") == Replies.Ok;
                    Call(client, "INCR", Key);
                    // Without MULTI the INCR has run alone, and was not counted: the keys of such clients would not add up.
                    if (!isOpen)
                        throw new InvalidOperationException("MULTI was refused.");
                    return Call(client, "EXEC").StartsWith("*1\r\n:", StringComparison.Ordinal);
                case 2:
                    return Call(client, "EVAL", "return server.call('incr', KEYS[1])", "1", Key).StartsWith(':');
                case 3:
                    return Call(client, "EVAL", "return server.call('incr', 'c' .. ARGV[1])", "0", Text(at)).StartsWith(':');
                case 4:
                    return Call(client, "FCALL", "f", "1", Key).StartsWith(':');
                default:
                    return Call(client, "EVAL", "#!lua flags=allow-stale\nreturn server.call('incr', KEYS[1])", "1", Key).StartsWith(':');
            }
        }

        private static string Call(InProcessClient client, params string[] command)
        {
            client.Send(InProcessClient.Request(command));
            string reply = "";
            Eventually.True(() => (reply += client.Receive()).Length > 0);
            return reply;
        }
    }

    private sealed class StateChanges(InProcessServer server, InProcessClient operators, Random random)
    {
        private const int CallsMeanwhile = 8;

        public void Next(Func<int> attempts)
        {
            switch (random.Next(6))
            {
                case 0:
                    server.Server.Clients.Pause.Begin(long.MaxValue, onlyWrites: random.Next(2) == 0, server.NowMs);
                    // Some calls, or none when all clients wait.
                    int before = attempts();
                    SpinWait.SpinUntil(() => attempts() >= before + CallsMeanwhile, TimeSpan.FromMilliseconds(2));
                    server.Server.Clients.Pause.Lift();
                    break;
                case 1:
                    server.Server.Persistence.Loading = new LoadingStatus(1);
                    Meanwhile(attempts);
                    server.Server.Persistence.Loading = null;
                    break;
                case 2:
                    Run("ACL", "SETUSER", "caller", random.Next(2) == 0 ? "-incr" : "resetkeys");
                    Meanwhile(attempts);
                    Run("ACL", "SETUSER", "caller", "+@all", "~c*");
                    break;
                case 3:
                    Run("CONFIG", "SET", "maxmemory", "1");
                    Meanwhile(attempts);
                    Run("CONFIG", "SET", "maxmemory", "0");
                    break;
                case 4:
                    Run("CONFIG", "SET", "min-replicas-to-write", "1");
                    Meanwhile(attempts);
                    Run("CONFIG", "SET", "min-replicas-to-write", "0");
                    break;
                default:
                    Run("REPLICAOF", "127.0.0.1", "1");
                    // The role changes under the barrier: no write runs from here on.
                    long changes = server.Store.Statistics.Changes;
                    Meanwhile(attempts);
                    Assert.Equal(changes, server.Store.Statistics.Changes);
                    Run("REPLICAOF", "NO", "ONE");
                    break;
            }

            Meanwhile(attempts);
        }

        // What is refused counts as well.
        private static void Meanwhile(Func<int> attempts)
        {
            int before = attempts();
            Eventually.True(() => attempts() >= before + CallsMeanwhile);
        }

        private void Run(params string[] command)
        {
            operators.Send(InProcessClient.Request(command));
            string reply = "";
            Eventually.True(() => (reply += operators.Receive()).Length > 0);
            Assert.Equal(Replies.Ok, reply);
        }
    }
}
