// The sample with counters that several servers change. Each test has its own servers.
using Garnet.CrdtCounter;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Modules;

public sealed class CrdtCounterTests(ITestOutputHelper output)
{
    private static InProcessServer NewServer(int node) =>
        new(
            options =>
            {
                options.EnableDebugCommand = CommandAccess.Yes;
                options.ModuleSettings = new Dictionary<string, string> { ["crdt.node"] = $"{node}" };
            },
            recordEffects: true,
            extensions: ModuleServer.With(typeof(CrdtCounterModule))
        );

    // Whatever is exchanged when, and how often.
    [Fact]
    public void Servers_that_exchange_states_agree()
    {
        var random = new Random(TestSeed.Choose(output, 1));
        InProcessServer[] servers = [NewServer(1), NewServer(2), NewServer(3)];
        try
        {
            long sum = 0;
            for (int i = 0; i < 300; i++)
            {
                InProcessServer one = servers[random.Next(3)];
                if (random.Next(3) == 0)
                {
                    MergeInto(one, servers[random.Next(3)]);
                    continue;
                }

                int amount = random.Next(-100, 100);
                sum += amount;
                Assert.StartsWith(":", one.Call("CRDT.ADD", "k", $"{amount}"), StringComparison.Ordinal);
            }

            for (int i = 0; i < 2; i++)
            {
                foreach (InProcessServer one in servers)
                {
                    foreach (InProcessServer other in servers)
                        MergeInto(one, other);
                }
            }

            Assert.All(servers, one => Assert.Equal($":{sum}\r\n", one.Call("CRDT.VALUE", "k")));
        }
        finally
        {
            foreach (InProcessServer server in servers)
                server.Dispose();
        }
    }

    [Fact]
    public void The_effect_does_not_depend_on_the_node_that_repeats_it()
    {
        using InProcessServer server = NewServer(7);
        Assert.Equal(":5\r\n", server.Call("CRDT.ADD", "k", "5"));
        Assert.StartsWith("CRDT.MERGE k ", Assert.Single(server.Effects.Take()), StringComparison.Ordinal);
    }

    [Fact]
    public void Limits_are_errors_and_change_nothing()
    {
        using InProcessServer server = NewServer(1);
        server.Call("CRDT.ADD", "k", "9223372036854775807");
        server.Call("CRDT.ADD", "k", "9223372036854775807");
        Assert.Equal("-ERR the counter would overflow\r\n", server.Call("CRDT.ADD", "k", "9223372036854775807"));
        Assert.Equal(":9223372036854775807\r\n", server.Call("CRDT.VALUE", "k"));
        Assert.StartsWith(":", server.Call("CRDT.ADD", "k", "-9223372036854775808"), StringComparison.Ordinal);
        Assert.Equal("-ERR the state is none of a counter\r\n", server.Call("CRDT.MERGE", "k", "xyz"));
        Assert.Equal(":0\r\n", server.Call("CRDT.VALUE", "none"));
    }

    // Without a checksum any bytes are possible; what is accepted is a counter that commands can use.
    [Fact]
    public void A_damaged_counter_is_refused_or_usable()
    {
        var random = new Random(TestSeed.Choose(output, 2));
        using InProcessServer server = NewServer(1);
        server.Call("CRDT.ADD", "k", "5");
        server.Call("CRDT.MERGE", "k", "\0\0\0\0\0\0\0\u0009" + "\0\0\0\0\0\0\0\u0002" + "\0\0\0\0\0\0\0\u0001");
        Assert.Equal(":6\r\n", server.Call("CRDT.VALUE", "k"));
        Damage.Restore(
            server,
            "k",
            random,
            3000,
            () =>
            {
                Assert.StartsWith(":", server.Call("CRDT.VALUE", "r"), StringComparison.Ordinal);
                Assert.Matches("^[:-]", server.Call("CRDT.ADD", "r", "1"));
            }
        );
    }

    private static void MergeInto(InProcessServer one, InProcessServer other)
    {
        string state = other.Call("CRDT.STATE", "k");
        if (!state.StartsWith("$0", StringComparison.Ordinal))
            one.Call("CRDT.MERGE", "k", state[(state.IndexOf('\n', StringComparison.Ordinal) + 1)..^2]);
    }
}
