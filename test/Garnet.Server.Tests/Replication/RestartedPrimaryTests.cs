// What expired while a primary was down: its replicas continue, and are told.
using System.Globalization;
using Garnet.Server.Persistence;
using Garnet.Server.Scripting;
using Garnet.Server.Tests.Persistence;
using Garnet.Store;
using Xunit;

namespace Garnet.Server.Tests.Replication;

public sealed class RestartedPrimaryTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-restart-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public void Keys_and_fields_that_have_expired_are_deleted_at_the_replicas_too(int secondsBeforeTheSave)
    {
        string id;
        long position;
        long now;
        using (InProcessServer before = Start())
        {
            using (StoreSession session = before.Store.OpenSession())
                before.Server.Replication.EnsureBacklog(session);
            for (int i = 0; i < 5; i++)
                before.Call("SET", $"gone{i}", "1", "PX", "1000");
            before.Call("HSET", "hash", "kept", "1", "gone", "2");
            before.Call("HPEXPIRE", "hash", "1000", "FIELDS", "1", "gone");
            before.Call("SET", "kept", "1");
            // Nothing expires by itself meanwhile.
            before.Call("DEBUG", "SET-ACTIVE-EXPIRE", "0");
            before.Clock.Advance(TimeSpan.FromSeconds(secondsBeforeTheSave));
            id = before.Server.Replication.History.Id;
            position = before.Server.Replication.Effects.Stream.Position;
            Assert.Equal("+OK\r\n", LoggedServer.Call(before.Client, "SAVE"));
            now = before.NowMs;
        }

        using InProcessServer after = Start();
        after.Clock.Advance(TimeSpan.FromMilliseconds(now + 10_000 - after.NowMs));
        Load(after);
        Assert.Equal(":7\r\n", after.Call("DBSIZE"));
        InProcessClient replica = after.Connect();
        string next = (position + 1).ToString(CultureInfo.InvariantCulture);
        string received = replica.Call("PSYNC", id, next);
        Assert.StartsWith("+CONTINUE", received, StringComparison.Ordinal);
        // Reading them is enough.
        for (int i = 0; i < 5; i++)
            Assert.Equal("$-1\r\n", after.Call("GET", $"gone{i}"));
        Assert.Equal("$-1\r\n", after.Call("HGET", "hash", "gone"));
        while (after.Store.Maintenance.Run()) { }
        bool isTold = SpinWait.SpinUntil(
            () =>
            {
                received += replica.Receive();
                return Enumerable.Range(0, 5).All(i => received.Contains($"gone{i}\r\n", StringComparison.Ordinal))
                    && received.Contains("HDEL\r\n$4\r\nhash\r\n$4\r\ngone\r\n", StringComparison.Ordinal);
            },
            TimeSpan.FromSeconds(10)
        );
        Assert.True(isTold, received);
        Assert.Equal(":2\r\n", after.Call("DBSIZE"));
    }

    [Fact]
    public void Nothing_is_removed_while_data_is_loaded()
    {
        using InProcessServer server = Start();
        server.Call("SET", "gone", "1", "PX", "1000");
        server.Clock.Advance(TimeSpan.FromSeconds(2));
        server.Server.Loader.Announce();
        while (server.Store.Maintenance.Run()) { }
        Assert.Equal(1, server.Store.Databases.KeyCount(0));
        server.Server.Persistence.Loading = null;
        while (server.Store.Maintenance.Run()) { }
        Assert.Equal(0, server.Store.Databases.KeyCount(0));
    }

    [Fact]
    public void A_snapshot_without_a_history_is_loaded_without_what_has_expired()
    {
        long now;
        using (InProcessServer before = Start())
        {
            before.Call("SET", "gone", "1", "PX", "1000");
            before.Call("SET", "kept", "1");
            Assert.Equal("+OK\r\n", LoggedServer.Call(before.Client, "SAVE"));
            now = before.NowMs;
        }

        using InProcessServer after = Start();
        after.Clock.Advance(TimeSpan.FromMilliseconds(now + 10_000 - after.NowMs));
        Load(after);
        Assert.Equal(":1\r\n", after.Call("DBSIZE"));
        Assert.Contains("rdb_last_load_keys_expired:1\r\n", after.Call("INFO", "persistence"), StringComparison.Ordinal);
    }

    // As at a start: nothing is removed meanwhile.
    private static void Load(InProcessServer server)
    {
        DataLoader loader = server.Server.Loader;
        loader.Announce();
        loader.Load(StartFunctions.Read(server.Server.Configuration.Current), CancellationToken.None);
    }

    private InProcessServer Start() =>
        new(options =>
        {
            options.Dir = _folder;
            options.EnableDebugCommand = CommandAccess.Yes;
        });
}
