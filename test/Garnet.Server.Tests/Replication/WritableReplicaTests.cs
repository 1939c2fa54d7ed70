// What clients write to a writable replica and what expires there.
using Garnet.Server.Tests.Persistence;
using Xunit;

namespace Garnet.Server.Tests.Replication;

public sealed class WritableReplicaTests : IDisposable
{
    private readonly LivePrimary _primary = new();
    private readonly InProcessServer _server;

    public WritableReplicaTests()
    {
        _server = new InProcessServer(static options => options.ReplicaReadOnly = false, connector: _primary);
        Assert.Equal("+OK\r\n", _server.Call("REPLICAOF", "primary", "1"));
        _primary.Send(ScriptedPrimary.Handshake + ScriptedPrimary.EmptySnapshot);
        _primary.Send("*5\r\n$3\r\nSET\r\n$5\r\ntheir\r\n$1\r\n1\r\n$2\r\nPX\r\n$3\r\n100\r\n");
        LoggedServer.Await(() => _server.Server.Replication.Effects.Stream.Position > 100);
    }

    private int OwnKeys => _server.Server.Replication.Primary?.OwnKeys.Count ?? 0;

    public void Dispose() => _server.Dispose();

    [Fact]
    public void It_removes_what_its_clients_let_expire_and_leaves_the_rest_to_the_primary()
    {
        Assert.Equal("+OK\r\n", _server.Call("SET", "own", "1", "PX", "100"));
        Assert.Equal(":1\r\n", _server.Call("EVAL", "redis.call('SETEX', KEYS[1], 1, 'x') return 1", "1", "script"));
        _server.Call("MULTI");
        _server.Call("SELECT", "3");
        _server.Call("SET", "multi", "1");
        _server.Call("PEXPIRE", "multi", "100");
        Assert.StartsWith("*3", _server.Call("EXEC"), StringComparison.Ordinal);
        _server.Call("SELECT", "0");
        _server.Call("SET", "kept", "1");
        Assert.Contains("slave_expires_tracked_keys:3\r\n", _server.Call("INFO", "stats"), StringComparison.Ordinal);
        Assert.Equal(":4\r\n", _server.Call("DBSIZE"));
        _server.AwaitInTime(() => OwnKeys == 0);
        Assert.Equal(":2\r\n", _server.Call("DBSIZE"));
        Assert.Equal("$1\r\n1\r\n", _server.Call("GET", "kept"));
        Assert.True(_server.Store.Databases.KeyCount(3) == 0);
        Assert.Contains("slave_expires_tracked_keys:0\r\n", _server.Call("INFO", "stats"), StringComparison.Ordinal);
    }

    [Fact]
    public void It_removes_fields_that_its_clients_let_expire()
    {
        _server.Call("HSET", "own", "a", "1", "b", "2");
        Assert.Equal("*1\r\n:1\r\n", _server.Call("HPEXPIRE", "own", "100", "FIELDS", "1", "a"));
        _server.Call("HSET", "gone", "a", "1");
        Assert.Equal("*1\r\n:1\r\n", _server.Call("HPEXPIRE", "gone", "100", "FIELDS", "1", "a"));
        _server.Call("HSET", "kept", "a", "1");
        _server.Call("HPEXPIRE", "kept", "100", "FIELDS", "1", "a");
        Assert.Equal("*1\r\n:1\r\n", _server.Call("HPERSIST", "kept", "FIELDS", "1", "a"));
        Assert.Equal(3, OwnKeys);
        _server.AwaitInTime(() => OwnKeys == 0);
        Assert.Equal(":1\r\n", _server.Call("HLEN", "own"));
        Assert.Equal("*2\r\n$1\r\nb\r\n$1\r\n2\r\n", _server.Call("HGETALL", "own"));
        Assert.Equal(":1\r\n", _server.Call("HLEN", "kept"));
        Assert.Equal(":3\r\n", _server.Call("DBSIZE"));
    }

    [Fact]
    public void A_key_that_no_longer_expires_is_forgotten_and_a_primary_remembers_none()
    {
        _server.Call("SET", "own", "1", "PX", "100000");
        _server.Call("SET", "other", "1", "PX", "100000");
        _server.Call("PERSIST", "own");
        _server.AwaitInTime(() => OwnKeys == 1);
        Assert.Equal("+OK\r\n", _server.Call("REPLICAOF", "NO", "ONE"));
        Assert.Equal(0, OwnKeys);
        _server.Call("SET", "own", "1", "PX", "100");
        Assert.Equal(0, OwnKeys);
    }
}
