// SHUTDOWN lets the replicas catch up first.
using System.Globalization;
using Garnet.Persistence.Snapshots;
using Garnet.Server.Replication;
using Garnet.Server.Shutdown;
using Garnet.Server.Tests.Persistence;
using Garnet.Store;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Commands.Server;

public sealed class ShutdownWaitTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-shutdown-").FullName;
    private readonly TroubledDisk _disk = new();
    private readonly InProcessServer _server;
    private readonly InProcessClient _replica;
    private volatile bool _isAsked;

    public ShutdownWaitTests()
    {
        _server = new InProcessServer(options => options.Dir = _folder, disk: _disk);
        _server.Server.Shutdown.Requested += () => _isAsked = true;
        using (StoreSession session = _server.Store.OpenSession())
            Replication.EnsureBacklog(session);
        _server.Call("SET", "a", "1");
        _replica = _server.Connect();
        Assert.StartsWith("+CONTINUE", _replica.Call("PSYNC", Replication.History.Id, "1"), StringComparison.Ordinal);
        _server.Call("SET", "a", "2");
        Assert.NotEqual(Position, Replication.Replicas.All[0].Acknowledged);
    }

    private ServerReplication Replication => _server.Server.Replication;

    private LastEffects LastEffects => _server.Server.FinalSave.LastEffects;

    private long Position => Replication.Effects.Stream.Position;

    public void Dispose()
    {
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public void It_waits_until_the_replica_has_everything()
    {
        InProcessClient asking = Ask("NOSAVE");
        Assert.Contains("shutdown_in_milliseconds:10000\r\n", _server.Call("INFO", "server"), StringComparison.Ordinal);
        string received = "";
        LoggedServer.Await(() => (received += _replica.Receive()).Contains("GETACK", StringComparison.Ordinal));
        // Nothing can be written any more that the replica would not have.
        InProcessClient writer = _server.Connect();
        Assert.Equal("", writer.Call("SET", "a", "3"));
        Assert.Equal("$1\r\n2\r\n", _server.Call("GET", "a"));
        Assert.False(_isAsked);
        Acknowledge(Position);
        LoggedServer.Await(() => _isAsked && asking.IsClosed);
        Assert.Equal("", asking.Receive());
        Assert.Equal("", writer.Receive());
    }

    [Fact]
    public void A_snapshot_that_a_client_asked_for_goes_on_when_the_shutdown_is_called_off()
    {
        _disk.CreatesRun.Reset();
        Assert.StartsWith("+Background saving started", _server.Call("BGSAVE"), StringComparison.Ordinal);
        LoggedServer.Await(() => !_disk.Begun.IsEmpty);
        InProcessClient asking = Ask("SAVE");
        Assert.Equal("+OK\r\n", _server.Call("SHUTDOWN", "ABORT"));
        Assert.StartsWith("-ERR Errors trying to SHUTDOWN", LoggedServer.Await(asking), StringComparison.Ordinal);
        _disk.CreatesRun.Set();
        LoggedServer.Await(() => _server.Server.Persistence.Snapshots.LastOutcome is { Result: SaveResult.Success });
        Assert.Single(_disk.Begun);
        Assert.False(_isAsked);
    }

    [Fact]
    public void A_replica_that_leaves_is_not_waited_for()
    {
        Ask("NOSAVE");
        _replica.Dispose();
        LoggedServer.Await(() => _isAsked);
    }

    [Fact]
    public void The_time_is_limited()
    {
        _server.Call("CONFIG", "SET", "shutdown-timeout", "3");
        Ask();
        _server.Clock.Advance(TimeSpan.FromSeconds(2));
        Assert.Contains("shutdown_in_milliseconds:1000\r\n", _server.Call("INFO", "server"), StringComparison.Ordinal);
        Assert.False(_isAsked);
        _server.AwaitInTime(() => _isAsked);
    }

    [Theory]
    [InlineData("10", "NOW")]
    [InlineData("10", "NOSAVE", "NOW", "FORCE")]
    [InlineData("0")]
    [InlineData("0", "NOSAVE")]
    public void It_need_not_wait(string timeout, params string[] options)
    {
        _server.Call("CONFIG", "SET", "shutdown-timeout", timeout);
        Assert.Equal("", _server.Call(["SHUTDOWN", .. options]));
        Assert.True(_isAsked);
        Assert.True(_server.Client.IsClosed);
    }

    [Fact]
    public void It_does_not_wait_for_a_replica_that_has_everything()
    {
        Acknowledge(Position);
        _server.Connect().Call("SHUTDOWN", "NOSAVE");
        LoggedServer.Await(() => _isAsked);
    }

    [Fact]
    public void It_can_be_aborted()
    {
        InProcessClient asking = Ask("NOSAVE");
        InProcessClient second = Ask("SAVE");
        InProcessClient writer = _server.Connect();
        Assert.Equal("", writer.Call("SET", "a", "3"));
        Assert.Equal("+OK\r\n", _server.Call("SHUTDOWN", "ABORT"));
        foreach (InProcessClient each in (InProcessClient[])[asking, second])
            Assert.Equal("-ERR Errors trying to SHUTDOWN. Check logs.\r\n", LoggedServer.Await(each));
        Assert.Equal("+OK\r\n", LoggedServer.Await(writer));
        Assert.DoesNotContain("shutdown_in_milliseconds", _server.Call("INFO", "server"), StringComparison.Ordinal);
        Assert.Equal("-ERR No shutdown in progress.\r\n", _server.Call("SHUTDOWN", "ABORT"));
        Assert.False(_isAsked);
        Acknowledge(Position);
        _server.Connect().Call("SHUTDOWN", "NOSAVE");
        LoggedServer.Await(() => _isAsked);
    }

    [Fact]
    public async Task A_server_that_its_application_ends_waits_too()
    {
        Task waiting = _server.Server.FinalSave.AwaitReplicasAsync(CancellationToken.None);
        LoggedServer.Await(() => LastEffects.RemainingMs is not null);
        Assert.Equal("", _server.Connect().Call("SET", "a", "3"));
        Assert.False(waiting.IsCompleted);
        Acknowledge(Position);
        await waiting.WaitAsync(TimeSpan.FromSeconds(60));
    }

    // On a connection of its own, which waits.
    private InProcessClient Ask(params string[] options)
    {
        InProcessClient client = _server.Connect();
        Assert.Equal("", client.Call(["SHUTDOWN", .. options]));
        LoggedServer.Await(() => LastEffects.RemainingMs is not null);
        Assert.False(client.IsClosed);
        return client;
    }

    private void Acknowledge(long position) =>
        Assert.Equal("", Strip(_replica.Call("REPLCONF", "ACK", position.ToString(CultureInfo.InvariantCulture))));

    // What the stream brings meanwhile is no reply.
    private static string Strip(string received) => received.StartsWith('*') ? "" : received;
}
