// Scripts beside each other and beside other commands: every interleaving of two threads, step by step.
using System.Text;
using Garnet.Server.Composition;
using Garnet.Store;
using Xunit;

namespace Garnet.Server.Tests.Commands.Scripting;

[Trait("Values", "InMemory")]
public sealed class ScriptInterleavingTests
{
    // Reads one key, writes the other, and changes the first: each access a step apart.
    private const string Declared =
        "local v = redis.call('get', KEYS[1]) redis.call('step') redis.call('set', KEYS[2], v .. ARGV[1]) redis.call('step') "
        + "return redis.call('append', KEYS[1], ARGV[1])";

    // The same with keys that it does not declare.
    private const string Undeclared =
        "local v = redis.call('get', ARGV[2]) redis.call('step') redis.call('set', ARGV[3], v .. ARGV[1]) redis.call('step') "
        + "return redis.call('append', ARGV[2], ARGV[1])";

    // Puts the keys into different buckets.
    private const ulong HashSeed = 1;

    private static readonly string[] Keys = ["a", "b", "c", "d"];

    public static TheoryData<string, string, bool> Pairs =>
        new()
        {
            { "declared a b", "declared a b", false },
            { "declared a b", "declared b a", false },
            { "declared a a", "declared b a", false },
            { "declared a b", "declared b c", false },
            { "declared a b", "declared c d", true },
            { "declared a b", "undeclared b a", false },
            { "undeclared a b", "declared b a", false },
            { "undeclared a b", "undeclared c d", false },
            { "declared a b", "function b a", false },
            { "declared a b", "function c d", true },
            { "function a b", "function c d", false },
            { "declared a b", "MSET b 1 a 2", false },
            { "declared a b", "MGET b a", false },
            { "declared a b", "MGET c d", false },
            { "declared a b", "GET b", false },
            { "declared a b", "APPEND b 1", false },
            { "declared a b", "RENAME b a", false },
            { "declared a b", "FLUSHALL", false },
            { "declared a b", "SWAPDB 0 1", false },
            { "undeclared a b", "MSET b 1 a 2", false },
            { "function a b", "APPEND b 1", false },
        };

    [Theory]
    [MemberData(nameof(Pairs))]
    public void Every_interleaving_of_two_ends_as_one_after_the_other(string first, string second, bool areBeside)
    {
        var scheduler = new StepScheduler();
        using InProcessServer server = new(hashSeed: HashSeed, extensions: new ServerExtensions { Commands = [scheduler.Step] });
        server.Call("FUNCTION", "LOAD", "#!lua name=l\nserver.register_function('function', function(KEYS, ARGV) " + Declared + " end)");
        InProcessClient one = server.Connect();
        InProcessClient other = server.Connect();
        string[][] requests = [Request(first, "1"), Request(second, "2")];

        HashSet<string> serial = [];
        foreach ((InProcessClient, string[])[] order in Orders((one, requests[0]), (other, requests[1])))
        {
            Prepare(server);
            string[] replies = [.. order.Select(static each => each.Item1.Call(each.Item2))];
            if (ReferenceEquals(order[0].Item1, other))
                Array.Reverse(replies);
            serial.Add(Describe(server, replies));
        }

        bool wereTogether = false;
        List<(int Choice, int Of)> choices = [];
        do
        {
            Prepare(server);
            string[] replies = new string[2];
            scheduler.Run([() => replies[0] = one.Call(requests[0]), () => replies[1] = other.Call(requests[1])], choices);
            wereTogether |= scheduler.WereInsideTogether;
            Assert.Contains(Describe(server, replies), serial);
        } while (StepScheduler.TryAdvance(choices));

        Assert.Equal(areBeside, wereTogether);
    }

    // A script that stands still with its keys latched, and what clients of other keys get meanwhile, or of its own afterwards.
    [Fact]
    public void Clients_of_other_keys_are_served_while_a_script_stands_still()
    {
        var scheduler = new StepScheduler();
        using InProcessServer server = new(hashSeed: HashSeed, extensions: new ServerExtensions { Commands = [scheduler.Step] });
        InProcessClient caller = server.Connect();
        InProcessClient other = server.Connect();
        Prepare(server);
        string neighbour = NeighbourOf("b", server.Store);
        server.Call("SET", neighbour, "N");
        string reply = "";
        List<string> replies = [];
        Action script = () => reply = caller.Call(Request("declared a b", "1"));
        Action others = () =>
        {
            foreach (string request in (string[])["PING", "GET c", "MGET c d", "EVAL return(1) 0", "SCRIPT KILL", "MULTI", "GET d", "EXEC"])
                replies.Add(other.Call(request.Split(' ')));
            other.Call("STEP");
            replies.Add(other.Call("GET", neighbour));
            replies.Add(other.Call("GET", "b"));
        };
        // The script stands at its first step while the other thread runs up to its own step, and then waits for the latch.
        scheduler.Run([script, others], [(0, 2), (1, 2), (1, 2), (0, 1), (0, 1)]);
        Assert.Equal(
            [
                "+PONG\r\n",
                "$1\r\nC\r\n",
                "*2\r\n$1\r\nC\r\n$1\r\nD\r\n",
                ":1\r\n",
                "-NOTBUSY No scripts in execution right now.\r\n",
                "+OK\r\n",
                "+QUEUED\r\n",
                "*1\r\n$1\r\nD\r\n",
                "$1\r\nN\r\n",
                "$2\r\nA1\r\n",
            ],
            replies
        );
        Assert.Equal(":2\r\n", reply);
    }

    private static string NeighbourOf(string key, HybridLogStore store)
    {
        long bucket = BucketOf(key);
        return Enumerable.Range(0, 10_000).Select(static i => $"n{i}").First(other => BucketOf(other) == bucket);

        long BucketOf(string name)
        {
            ulong hash = store.Databases.Map.KeyHash.Compute(Encoding.ASCII.GetBytes(name));
            return store.Index.Locate(store.Databases.Map.Salt(hash, store.Databases.Map.PhysicalOf(0)));
        }
    }

    private static void Prepare(InProcessServer server)
    {
        server.Call("FLUSHALL");
        foreach (string key in Keys)
            server.Call("SET", key, key.ToUpperInvariant());
    }

    private static string Describe(InProcessServer server, string[] replies) =>
        string.Join(' ', replies) + server.Call(["MGET", .. Keys]) + server.Call("DBSIZE");

    private static string[] Request(string text, string mark) =>
        text.Split(' ') switch
        {
            ["declared", var first, var second] => ["EVAL", Declared, "2", first, second, mark],
            ["undeclared", var first, var second] => ["EVAL", Undeclared, "0", mark, first, second],
            ["function", var first, var second] => ["FCALL", "function", "2", first, second, mark],
            var words => words,
        };

    private static IEnumerable<(InProcessClient, string[])[]> Orders((InProcessClient, string[]) one, (InProcessClient, string[]) other) =>
        [
            [one, other],
            [other, one],
        ];
}
