// FAILOVER as clients of the old primary see it, and PINGs to replicas.
using System.Globalization;
using Garnet.Server.Replication;
using Garnet.Server.Tests.Persistence;
using Garnet.Store;
using Garnet.Store.Epochs;
using Xunit;

namespace Garnet.Server.Tests.Replication;

public sealed class FailoverTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private readonly InProcessServer _server = new();
    private readonly InProcessClient _replica;

    public FailoverTests()
    {
        using (StoreSession session = _server.Store.OpenSession())
            Replication.EnsureBacklog(session);
        _replica = _server.Connect();
        _replica.Call("REPLCONF", "listening-port", "7000", "ip-address", "10.1.2.3");
        string next = (Replication.Effects.Stream.Position + 1).ToString(CultureInfo.InvariantCulture);
        Assert.StartsWith("+CONTINUE", _replica.Call("PSYNC", Replication.History.Id, next), StringComparison.Ordinal);
    }

    private ServerReplication Replication => _server.Server.Replication;

    private RoleChanges Roles => _server.Server.Roles;

    public void Dispose() => _server.Dispose();

    [Fact]
    public void Blocked_clients_wait_on_while_the_role_may_come_back()
    {
        InProcessClient blocked = _server.Connect();
        Assert.Equal("", blocked.Call("BLPOP", "list", "0"));
        _server.Call("SET", "a", "1");
        Assert.Equal("+OK\r\n", _server.Call("FAILOVER", "TO", "10.1.2.3", "7000", "FORCE", "TIMEOUT", "1000"));
        _server.AwaitInTime(() => Roles.Failover.State == FailoverState.InProgress && Replication.IsReplica);
        Assert.Equal("", blocked.Receive());
        Assert.Equal("+OK\r\n", _server.Call("FAILOVER", "ABORT"));
        Assert.Equal(":1\r\n", _server.Call("RPUSH", "list", "x"));
        Assert.Equal("*2\r\n$4\r\nlist\r\n$1\r\nx\r\n", LoggedServer.Await(blocked));
    }

    [Fact]
    public void They_are_released_when_it_is_complete()
    {
        InProcessClient blocked = _server.Connect();
        Assert.Equal("", blocked.Call("BLPOP", "list", "0"));
        _server.Call("SET", "a", "1");
        Assert.Equal("+OK\r\n", _server.Call("FAILOVER", "TO", "10.1.2.3", "7000", "FORCE", "TIMEOUT", "1000"));
        _server.AwaitInTime(() => Roles.Failover.State == FailoverState.InProgress && Replication.IsReplica);
        Roles.Failover.OnAnswer(isAccepted: true);
        Assert.StartsWith("-UNBLOCKED", LoggedServer.Await(blocked), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_write_that_ends_after_the_replica_was_found_ready_is_waited_for()
    {
        Assert.True(Roles.Failover.TryBegin(new FailoverTarget("", 0, false, long.MaxValue)));
        Acknowledge();
        using StoreSession writer = _server.Store.OpenSession();
        writer.EnterBatch();
        using ManualResetEventSlim isFound = new();
        var handingOver = Task.Run(() =>
        {
            WaitProbe.OnWait = isFound.Set;
            Roles.Failover.Tick(0);
            WaitProbe.OnWait = null;
        });
        Assert.True(isFound.Wait(Patience));
        Replication.Effects.Stream.Append(0, "*3\r\n$3\r\nSET\r\n$4\r\nlate\r\n$1\r\n1\r\n"u8);
        writer.LeaveBatch();
        await handingOver.WaitAsync(Patience);
        Assert.False(Replication.IsReplica);
        Assert.Equal(FailoverState.WaitingForSync, Roles.Failover.State);

        Acknowledge();
        Roles.Failover.Tick(0);
        Assert.True(Replication.IsReplica);
        Assert.Equal(FailoverState.InProgress, Roles.Failover.State);
    }

    [Fact]
    public async Task One_that_is_aborted_while_the_role_is_being_handed_over_leaves_the_role()
    {
        Assert.True(Roles.Failover.TryBegin(new FailoverTarget("10.1.2.3", 7000, true, 0)));
        using StoreSession writer = _server.Store.OpenSession();
        writer.EnterBatch();
        using ManualResetEventSlim isBegun = new();
        var handingOver = Task.Run(() =>
        {
            WaitProbe.OnWait = isBegun.Set;
            Roles.Failover.Tick(1);
            WaitProbe.OnWait = null;
        });
        Assert.True(isBegun.Wait(Patience));
        Task<bool> aborting = Task.Run(() =>
        {
            using StoreSession session = _server.Store.OpenSession();
            return Roles.Failover.Abort(session);
        });
        LoggedServer.Await(() => Roles.Failover.State == FailoverState.None);
        writer.LeaveBatch();
        await handingOver.WaitAsync(Patience);
        Assert.True(await aborting.WaitAsync(Patience));
        Assert.False(Replication.IsReplica);
    }

    [Fact]
    public async Task One_that_blocks_at_the_moment_of_a_change_of_the_role_is_released_as_well()
    {
        InProcessClient blocked = _server.Connect();
        Task<string>? changing = null;
        // The command has found nothing, and the earlier replies are sent before the client is known to wait.
        blocked.WhenSent(() =>
        {
            changing = Task.Run(() => _server.Call("REPLICAOF", "10.0.0.1", "6379"));
            LoggedServer.Await(() => changing.IsCompleted);
        });
        blocked.Send([.. InProcessClient.Request("PING"), .. InProcessClient.Request("BLPOP", "list", "0")]);
        Assert.Equal("+OK\r\n", await changing!);
        Assert.Equal("+PONG\r\n", blocked.Receive());
        Assert.StartsWith("-UNBLOCKED", LoggedServer.Await(blocked), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true, "-REDIRECT 10.1.2.3:7000\r\n")]
    [InlineData(false, "$1\r\n1\r\n")]
    public void One_that_is_to_be_redirected_waits_until_it_is_known_where_to(bool isAccepted, string reply)
    {
        InProcessClient client = _server.Connect();
        client.Call("CLIENT", "CAPA", "redirect");
        InProcessClient reader = _server.Connect();
        reader.Call("CLIENT", "CAPA", "redirect");
        reader.Call("READONLY");
        _server.Call("SET", "a", "1");
        Assert.True(Roles.Failover.TryBegin(new FailoverTarget("10.1.2.3", 7000, true, 0)));
        Assert.Equal("$1\r\n1\r\n", client.Call("GET", "a"));
        Roles.Failover.Tick(1);
        Assert.Equal(FailoverState.InProgress, Roles.Failover.State);
        Assert.Equal("", client.Call("GET", "a"));
        Assert.Equal("$1\r\n1\r\n", reader.Call("GET", "a"));
        Assert.Equal("+PONG\r\n", _server.Call("PING"));
        Roles.Failover.OnAnswer(isAccepted);
        Assert.Equal(reply, LoggedServer.Await(client));
    }

    [Fact]
    public void A_shorter_period_of_pings_applies_at_once()
    {
        _server.Call("CONFIG", "SET", "repl-ping-replica-period", "1000000");
        Tick(10);
        long position = Replication.Effects.Stream.Position;
        Tick(100);
        Assert.Equal(position, Replication.Effects.Stream.Position);
        _server.Call("CONFIG", "SET", "repl-ping-replica-period", "1");
        _server.AwaitInTime(() => Replication.Effects.Stream.Position > position);
    }

    private void Acknowledge() =>
        _replica.Call("REPLCONF", "ACK", Replication.Effects.Stream.Position.ToString(CultureInfo.InvariantCulture));

    private void Tick(int times)
    {
        for (int i = 0; i < times; i++)
            _server.Clock.Advance(TimeSpan.FromMilliseconds(100));
    }
}
