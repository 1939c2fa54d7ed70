// repl-diskless-load swapdb: a replica loads a snapshot beside its data.
using System.Globalization;
using System.Text;
using Garnet.Server.Replication;
using Garnet.Server.Tests.Commands;
using Garnet.Server.Tests.Persistence;
using Xunit;

namespace Garnet.Server.Tests.Replication;

public sealed class SwapLoadTests : IDisposable
{
    private const string OtherId = "abcdef0123456789abcdef0123456789abcdef01";
    private const string Library =
        "#!lua name=l\nredis.register_function{function_name='f', callback=function() return %d end, flags={'no-writes'}}";

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-swap-").FullName;
    private readonly LivePrimary _first = new();
    private readonly LivePrimary _second = new();
    private readonly LivePrimary _third = new();
    private InProcessServer? _server;

    private InProcessServer Server => _server!;

    private ServerReplication Replication => Server.Server.Replication;

    public void Dispose()
    {
        foreach (LivePrimary primary in (LivePrimary[])[_first, _second, _third])
            primary.Dispose();
        _server?.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public void The_same_history_is_loaded_while_the_old_data_is_served()
    {
        Synchronize();
        InProcessClient watching = Server.Connect();
        InProcessClient queued = Server.Connect();
        InProcessClient unwatched = Server.Connect();
        Assert.Equal(Replies.Ok, watching.Call("WATCH", "a"));
        Assert.Equal(Replies.Ok, unwatched.Call("WATCH", "none"));
        string snapshot = Snapshot("new", 2);
        BeginSecond(_second, ScriptedPrimary.Id, snapshot, snapshot.Length / 2);

        string info = Server.Call("INFO", "persistence");
        Assert.Contains("\r\nasync_loading:1\r\n", info, StringComparison.Ordinal);
        Assert.Contains("loading:0\r\n", info, StringComparison.Ordinal);
        Assert.Contains("\r\nloading_start_time:", info, StringComparison.Ordinal);
        AssertOld();
        foreach (string refused in (string[])["SAVE", "BGSAVE", "BGREWRITEAOF", "REPLICAOF NO ONE", "PSYNC ? -1", "SYNC"])
            Assert.StartsWith("-LOADING", Server.Connect().Call(refused.Split(' ')), StringComparison.Ordinal);
        Assert.StartsWith("-READONLY", Server.Call("SET", "a", "1"), StringComparison.Ordinal);
        foreach (InProcessClient client in (InProcessClient[])[watching, queued, unwatched])
        {
            Assert.Equal(Replies.Ok, client.Call("MULTI"));
            Assert.Equal("+QUEUED\r\n", client.Call("GET", "a"));
        }

        _second.Send(snapshot[(snapshot.Length / 2)..]);
        LoggedServer.Await(() => Replication.Effects.Stream.Position == 200);
        LoggedServer.Await(() => !Server.Server.Persistence.IsLoading);
        Assert.Contains("\r\nasync_loading:0\r\n", Server.Call("INFO", "persistence"), StringComparison.Ordinal);
        AssertNew();
        Assert.Equal("*-1\r\n", watching.Call("EXEC"));
        Assert.Equal("*1\r\n$3\r\nnew\r\n", queued.Call("EXEC"));
        Assert.Equal("*1\r\n$3\r\nnew\r\n", unwatched.Call("EXEC"));
        _second.Send("*3\r\n$3\r\nSET\r\n$1\r\na\r\n$4\r\nlast\r\n");
        LoggedServer.Await(() => Server.Call("GET", "a") == Replies.Bulk("last"));
        Assert.Equal(ScriptedPrimary.Id, Replication.History.Id);
    }

    [Theory]
    [InlineData(ScriptedPrimary.Id)]
    [InlineData(OtherId)]
    public void One_that_ends_early_leaves_the_data_and_the_next_replaces_it(string id)
    {
        Synchronize();
        string snapshot = Snapshot("new", 2);
        BeginSecond(_second, id, snapshot, snapshot.Length - 20);
        _second.Dispose();
        LoggedServer.Await(() => !Server.Server.Persistence.IsLoading);
        AssertOld();
        Assert.Equal(ScriptedPrimary.Id, Replication.History.Id);
        Assert.Equal(100, Replication.Effects.Stream.Position);

        BeginSecond(_third, id, snapshot, snapshot.Length);
        LoggedServer.Await(() => Replication.Effects.Stream.Position == 200 && !Server.Server.Persistence.IsLoading);
        AssertNew();
        Assert.Equal(id, Replication.History.Id);
    }

    [Fact]
    public void Another_history_is_loaded_beside_the_data_but_that_is_not_served()
    {
        Synchronize();
        string snapshot = Snapshot("new", 2);
        BeginSecond(_second, OtherId, snapshot, snapshot.Length / 2);
        string info = Server.Call("INFO", "persistence");
        Assert.Contains("\r\nasync_loading:0\r\n", info, StringComparison.Ordinal);
        Assert.Contains("loading:1\r\n", info, StringComparison.Ordinal);
        Assert.StartsWith("-LOADING", Server.Call("GET", "a"), StringComparison.Ordinal);
        _second.Send(snapshot[(snapshot.Length / 2)..]);
        LoggedServer.Await(() => Replication.Effects.Stream.Position == 200 && !Server.Server.Persistence.IsLoading);
        AssertNew();
    }

    [Fact]
    public void A_library_that_cannot_be_loaded_leaves_the_data()
    {
        Synchronize();
        const string library = "#!lua name=l\nthis is not Lua";
        string snapshot = $"REDIS0011\u00f5{(char)library.Length}{library}\u00ff" + new string('\0', 8);
        _second.Send(ScriptedPrimary.Handshake + Announce(ScriptedPrimary.Id, snapshot) + snapshot);
        _first.Dispose();
        LoggedServer.Await(() => _second.IsClosed);
        LoggedServer.Await(() => !Server.Server.Persistence.IsLoading);
        AssertOld();
    }

    [Fact]
    public void With_too_many_databases_for_a_second_set_a_file_is_used()
    {
        Synchronize(databases: 128);
        string snapshot = Snapshot("new", 2);
        _second.Send(ScriptedPrimary.Handshake + Announce(ScriptedPrimary.Id, snapshot) + snapshot[..^20]);
        _first.Dispose();
        LoggedServer.Await(() => Replication.Primary!.Payload is not null && _second.IsRead);
        Assert.False(Server.Server.Persistence.IsLoading);
        AssertOld();
        _second.Send(snapshot[^20..]);
        LoggedServer.Await(() => Replication.Effects.Stream.Position == 200 && !Server.Server.Persistence.IsLoading);
        AssertNew();
    }

    [Fact]
    public void A_blocked_client_of_a_writable_replica_gets_what_the_new_data_has()
    {
        Synchronize();
        Server.Call("CONFIG", "SET", "replica-read-only", "no");
        InProcessClient blocked = Server.Connect();
        Assert.Equal("", blocked.Call("BLPOP", "list-new", "0"));
        string snapshot = Snapshot("new", 2);
        BeginSecond(_second, ScriptedPrimary.Id, snapshot, snapshot.Length / 2);
        Assert.Equal(Replies.Ok, Server.Call("SET", "own", "1"));
        Assert.Equal("", blocked.Receive());
        _second.Send(snapshot[(snapshot.Length / 2)..]);
        Assert.Equal(Replies.Bulks("list-new", "x"), Later.ReceiveUntilReady(blocked));
        Assert.Equal("$-1\r\n", Server.Call("GET", "own"));
    }

    private void AssertOld()
    {
        Assert.Equal(Replies.Bulk("old"), Server.Call("GET", "a"));
        Assert.Equal(":502\r\n", Server.Call("DBSIZE"));
        Assert.Equal(":1\r\n", Server.Call("FCALL_RO", "f", "0"));
        Assert.Equal(":1\r\n", Server.Call("LLEN", "list-old"));
        Assert.Equal("$-1\r\n", Server.Call("GET", "key-of-new-1"));
    }

    private void AssertNew()
    {
        Assert.Equal(Replies.Bulk("new"), Server.Call("GET", "a"));
        Assert.Equal(":502\r\n", Server.Call("DBSIZE"));
        Assert.Equal(":2\r\n", Server.Call("FCALL_RO", "f", "0"));
        Assert.Equal(":1\r\n", Server.Call("LLEN", "list-new"));
        Assert.Equal("$-1\r\n", Server.Call("GET", "key-of-old-1"));
        Assert.Equal(500, Enumerable.Range(0, 500).Count(i => Server.Call("EXISTS", $"key-of-new-{i}") == ":1\r\n"));
    }

    // A replica that has the first snapshot.
    private void Synchronize(int databases = 16)
    {
        _server = new InProcessServer(
            options =>
            {
                options.Dir = _folder;
                options.Databases = databases;
                options.DisklessLoad = DisklessLoad.SwapDb;
            },
            connector: new Primaries(_first, _second, _third)
        );
        string snapshot = Snapshot("old", 1);
        _first.Send(ScriptedPrimary.Handshake + $"+FULLRESYNC {ScriptedPrimary.Id} 100\r\n${snapshot.Length}\r\n" + snapshot);
        Assert.Equal(Replies.Ok, Server.Call("REPLICAOF", "primary", "1"));
        LoggedServer.Await(() => Replication.Effects.Stream.Position == 100 && !Server.Server.Persistence.IsLoading);
        AssertOld();
    }

    // The first link ends, and the primary of the next sends a part of its snapshot.
    private void BeginSecond(LivePrimary primary, string id, string snapshot, int length)
    {
        primary.Send(ScriptedPrimary.Handshake + Announce(id, snapshot) + snapshot[..length]);
        _first.Dispose();
        if (length < snapshot.Length)
            LoggedServer.Await(() => Server.Server.Persistence.IsLoading && primary.IsRead);
    }

    private static string Announce(string id, string snapshot) => $"+FULLRESYNC {id} 200\r\n${snapshot.Length}\r\n";

    private string Snapshot(string value, int result)
    {
        using InProcessServer server = new(options => options.Dir = _folder);
        server.Call("SET", "a", value);
        server.Call("RPUSH", $"list-{value}", "x");
        for (int i = 0; i < 500; i++)
            server.Call("SET", $"key-of-{value}-{i}", new string('v', i));
        server.Call("FUNCTION", "LOAD", Library.Replace("%d", result.ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal));
        server.Client.Send(InProcessClient.Request("SAVE"));
        Assert.Equal(Replies.Ok, Later.Receive(server.Client));
        string path = Path.Combine(_folder, "dump.rdb");
        string text = Encoding.Latin1.GetString(File.ReadAllBytes(path));
        File.Delete(path);
        return text;
    }

    // Each connection is to the next of some primaries.
    private sealed class Primaries(params LivePrimary[] primaries) : IServerConnector
    {
        private int _next;

        public Task<Stream> ConnectAsync(string host, int port, GarnetOptions options, CancellationToken cancellationToken)
        {
            int index = Interlocked.Increment(ref _next) - 1;
            return index < primaries.Length
                ? primaries[index].ConnectAsync(host, port, options, cancellationToken)
                : throw new IOException("There are no more connections.");
        }
    }
}
