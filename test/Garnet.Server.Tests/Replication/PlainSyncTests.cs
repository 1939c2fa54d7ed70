// Snapshots for what has not announced that it reads those of unknown length, and for what wants only a part of one.
using System.Globalization;
using System.Text;
using Garnet.Persistence.Rdb;
using Garnet.Server.Replication;
using Garnet.Server.Tests.Persistence;
using Garnet.Store;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Replication;

public sealed class PlainSyncTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-sync-").FullName;
    private readonly InProcessServer _server;

    public PlainSyncTests() => _server = Start();

    public void Dispose()
    {
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Theory]
    [InlineData(false, "SYNC")]
    [InlineData(true, "PSYNC", "?", "-1")]
    public void The_length_comes_first_and_the_stream_follows_at_once(bool hasHistory, params string[] command)
    {
        Fill(20_000);
        InProcessClient replica = _server.Connect();
        replica.Call(command);
        (string before, byte[] snapshot, string after) = Receive(replica);
        Assert.Equal(hasHistory, before.Contains("+FULLRESYNC", StringComparison.Ordinal));
        Assert.Equal(20_000, KeysOf(snapshot));
        _server.Call("SET", "later", "1");
        LoggedServer.Await(() => (after += replica.Receive()).Contains("later", StringComparison.Ordinal));
        Assert.Contains("*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n*3\r\n$3\r\nSET\r\n$5\r\nlater\r\n", after, StringComparison.Ordinal);
        LoggedServer.Await(() => Directory.GetFiles(_folder).Length == 0);
    }

    [Fact]
    public void Writes_during_the_snapshot_come_after_it()
    {
        Fill(5_000);
        InProcessClient first = _server.Connect();
        InProcessClient second = _server.Connect();
        first.Call("SYNC");
        second.Call("PSYNC", "?", "-1");
        _server.AwaitInTime(() =>
            _server.Server.Replication.Replicas.All.All(static link => link.State != ReplicaLinkState.WaitingForSnapshot)
        );
        _server.Call("SET", "during", "1");
        foreach (InProcessClient replica in (InProcessClient[])[first, second])
        {
            (_, byte[] snapshot, string after) = Receive(replica);
            Assert.Equal(5_000, KeysOf(snapshot));
            LoggedServer.Await(() => (after += replica.Receive()).Contains("during", StringComparison.Ordinal));
        }
    }

    [Fact]
    public void A_folder_that_cannot_be_written_ends_the_connection_and_the_server_goes_on()
    {
        _server.Call("CONFIG", "SET", "dir", _folder);
        InProcessClient replica = _server.Connect();
        replica.Call("SYNC");
        Directory.Delete(_folder);
        _server.AwaitInTime(() => _server.Server.Replication.Replicas.All.Length == 0);
        Directory.CreateDirectory(_folder);
        Assert.Equal("+OK\r\n", _server.Call("SET", "a", "1"));
        InProcessClient again = _server.Connect();
        again.Call("SYNC");
        Assert.Equal(1, KeysOf(Receive(again).Snapshot));
    }

    [Theory]
    [InlineData("functions", true)]
    [InlineData("FUNCTIONS functions", true)]
    [InlineData("", false)]
    public void Only_what_is_named_is_in_a_filtered_snapshot(string filter, bool hasFunctions)
    {
        Fill(1_000);
        _server.Call("FUNCTION", "LOAD", "#!lua name=lib\nredis.register_function('f', function() return 1 end)");
        InProcessClient replica = _server.Connect();
        Assert.Equal("+OK\r\n", replica.Call("REPLCONF", "rdb-only", "1"));
        Assert.Equal("+OK\r\n", replica.Call("REPLCONF", "rdb-filter-only", filter));
        InProcessClient whole = _server.Connect();
        replica.Call("SYNC");
        whole.Call("SYNC");
        byte[] snapshot = Receive(replica).Snapshot;
        Assert.Equal(0, KeysOf(snapshot));
        Assert.Equal(hasFunctions, Encoding.Latin1.GetString(snapshot).Contains("register_function", StringComparison.Ordinal));
        snapshot = Receive(whole).Snapshot;
        Assert.Equal(1_000, KeysOf(snapshot));
        Assert.Contains("register_function", Encoding.Latin1.GetString(snapshot), StringComparison.Ordinal);
    }

    [Fact]
    public void A_filtered_snapshot_leaves_the_data_as_it_is()
    {
        Fill(3_000);
        InProcessClient replica = _server.Connect();
        replica.Call("REPLCONF", "rdb-filter-only", "functions");
        replica.Call("SYNC");
        _server.Call("SET", "0", "changed");
        Receive(replica);
        _server.Call("SET", "1", "changed");
        Assert.Equal("$7\r\nchanged\r\n", _server.Call("GET", "0"));
        InProcessClient whole = _server.Connect();
        whole.Call("SYNC");
        Assert.Equal(3_000, KeysOf(Receive(whole).Snapshot));
    }

    private InProcessServer Start() =>
        new(options =>
        {
            options.Dir = _folder;
            options.DisklessSyncDelay = TimeSpan.Zero;
        });

    private void Fill(int keys)
    {
        for (int i = 0; i < keys; i++)
            _server.Client.Send(InProcessClient.Request("SET", i.ToString(CultureInfo.InvariantCulture), new string('v', 100)));
        _server.Client.Discard();
    }

    // What comes before the length, the snapshot, and what has come after it.
    private (string Before, byte[] Snapshot, string After) Receive(InProcessClient replica)
    {
        string received = "";
        int start = -1;
        int length = 0;
        _server.AwaitInTime(() =>
        {
            received += replica.Receive();
            start = received.IndexOf('$', StringComparison.Ordinal);
            int end = start < 0 ? -1 : received.IndexOf("\r\n", start, StringComparison.Ordinal);
            if (end < 0)
                return false;
            length = int.Parse(received[(start + 1)..end], CultureInfo.InvariantCulture);
            return received.Length >= end + 2 + length;
        });
        int begin = received.IndexOf("\r\n", start, StringComparison.Ordinal) + 2;
        byte[] snapshot = Encoding.Latin1.GetBytes(received.Substring(begin, length));
        return (received[..start], snapshot, received[(begin + length)..]);
    }

    private static long KeysOf(byte[] snapshot)
    {
        using HybridLogStore store = new(new StoreOptions(), TimeProvider.System);
        return new RdbLoader(store, new RdbLoadOptions()).Load(new MemoryStream(snapshot)).Keys;
    }
}
