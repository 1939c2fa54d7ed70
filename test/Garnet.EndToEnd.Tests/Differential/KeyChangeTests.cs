// A store's change notifications must be enough to keep a copy up to date. Each test has its own server.
using Garnet.Store;
using Garnet.Store.Changes;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Differential;

public sealed class KeyChangeTests(ITestOutputHelper output)
{
    private const int EpisodesPerFamily = 30;
    private const int FullEpisodes = 1000;
    private const int FirstSeed = 92_000;

    /// <summary>A model applies every notification of a random history and reads only the keys in them. It must equal the store.</summary>
    [Theory]
    [MemberData(nameof(Histories.Names), MemberType = typeof(Histories))]
    public void A_model_that_follows_the_announced_changes_equals_the_store(string family)
    {
        int firstSeed = TestSeed.Choose(output, FirstSeed);
        (RespExchange reader, ChangeTape tape, TestServer server) = Start(out ManualTimeProvider clock);
        using TestServer stopped = server;
        using RespExchange closed = reader;
        foreach ((int seed, Episode episode) in Histories.Episodes(family, firstSeed, FaultScale.Count(EpisodesPerFamily, FullEpisodes)))
        {
            var model = new ChangeModel(tape, reader);
            Assert.Equal("+OK\r\n", reader.ExecuteText("FLUSHALL"));
            tape.Take();
            ExpiringHistory.Run(server, episode, clock, model.Follow);
            List<string> differences = model.Compare();
            Assert.True(differences.Count == 0, $"seed {seed}:{Environment.NewLine}{string.Join(Environment.NewLine, differences)}");
        }
    }

    [Fact]
    public void A_command_that_changes_a_key_many_times_announces_it_once()
    {
        (RespExchange client, ChangeTape tape, TestServer server) = Start();
        using (server)
        using (client)
        {
            client.ExecuteText("RPUSH", "list", "a", "b", "c");
            client.ExecuteText("RPUSH", "list", "d", "e");
            client.ExecuteText("LTRIM", "list", "1", "0");
            client.ExecuteText("MSET", "x", "1", "y", "2", "x", "3");
            client.ExecuteText("RENAME", "x", "y");
            Assert.Equal(
                [
                    (KeyChangeKind.Created, 0, "list"),
                    (KeyChangeKind.Modified, 0, "list"),
                    (KeyChangeKind.Removed, 0, "list"),
                    (KeyChangeKind.Created, 0, "x"),
                    (KeyChangeKind.Created, 0, "y"),
                    (KeyChangeKind.Modified, 0, "x"),
                    (KeyChangeKind.Removed, 0, "y"),
                    (KeyChangeKind.Created, 0, "y"),
                    (KeyChangeKind.Removed, 0, "x"),
                ],
                tape.Take()
            );
        }
    }

    [Fact]
    public void Expired_keys_and_fields_are_announced_when_they_are_removed()
    {
        (RespExchange client, ChangeTape tape, TestServer server) = Start(out ManualTimeProvider clock);
        using (server)
        using (client)
        {
            client.ExecuteText("SET", "key", "v", "PX", "10");
            client.ExecuteText("HSET", "hash", "f", "1", "g", "2");
            client.ExecuteText("HPEXPIRE", "hash", "10", "FIELDS", "1", "f");
            tape.Take();
            clock.Advance(TimeSpan.FromMilliseconds(50));
            client.ExecuteText("DEL", "key");
            client.ExecuteText("HSET", "hash", "f", "3");
            Assert.Equal([(KeyChangeKind.Expired, 0, "key"), (KeyChangeKind.Modified, 0, "hash")], tape.Take());
        }
    }

    [Fact]
    public void A_stream_s_groups_are_announced_apart_from_its_entries()
    {
        (RespExchange client, ChangeTape tape, TestServer server) = Start();
        using (server)
        using (client)
        {
            client.ExecuteText("XADD", "s", "1-1", "f", "v");
            client.ExecuteText("XGROUP", "CREATE", "s", "g", "0");
            client.ExecuteText("XDEL", "s", "1-1");
            client.ExecuteText("XGROUP", "DESTROY", "s", "g");
            Assert.Equal(
                [
                    (KeyChangeKind.Created, 0, "s"),
                    (KeyChangeKind.Metadata, 0, "s"),
                    (KeyChangeKind.Reduced, 0, "s"),
                    (KeyChangeKind.GroupRemoved, 0, "s"),
                ],
                tape.Take()
            );
        }
    }

    private static (RespExchange Client, ChangeTape Tape, TestServer Server) Start() => Start(out _);

    private static (RespExchange Client, ChangeTape Tape, TestServer Server) Start(out ManualTimeProvider clock)
    {
        clock = new ManualTimeProvider();
        var server = TestServer.Start(time: clock);
        HybridLogStore store = server.Server.Resp.Store;
        store.Maintenance.RemovesExpired = false;
        var tape = new ChangeTape();
        store.Changes.Observe(tape, isOn: true);
        return (server.Connect(), tape, server);
    }
}
