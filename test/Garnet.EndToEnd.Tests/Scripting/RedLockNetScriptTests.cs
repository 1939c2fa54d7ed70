// RedLock.net's scripts by what they call: a lock is a key whose value only its owner knows. The scripts are written for this test. Each
// test has its own servers.
using System.Globalization;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Scripting;

public sealed class RedLockNetScriptTests : IDisposable
{
    private const string Unlock = """
        if redis.call('get', KEYS[1]) == ARGV[1] then
            return redis.call('del', KEYS[1])
        else
            return 0
        end
        """;

    // A lock that has expired is taken again, one of somebody else is left alone.
    private const string Extend = """
        local value = redis.call('get', KEYS[1])
        if (value == false) then
            return redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) and 1 or 0
        elseif (value == ARGV[1]) then
            return redis.call('pexpire', KEYS[1], ARGV[2])
        else
            return -1
        end
        """;

    private readonly TestServer[] _servers = [TestServer.Start(), TestServer.Start(), TestServer.Start()];

    [Fact]
    public void A_lock_is_held_on_most_servers_by_one_owner()
    {
        RespExchange[] clients = [.. _servers.Select(static server => server.Connect())];
        Assert.All(clients, static client => Assert.Equal("+OK\r\n", Acquire(client, "mine")));
        Assert.All(clients, static client => Assert.Equal("$-1\r\n", Acquire(client, "yours")));
        Assert.All(clients, static client => Assert.Equal(":0\r\n", client.ExecuteText("EVAL", Unlock, "1", "lock", "yours")));
        Assert.All(clients, static client => Assert.Equal(":1\r\n", client.ExecuteText("EVAL", Unlock, "1", "lock", "mine")));
        Assert.All(clients, static client => Assert.Equal("+OK\r\n", Acquire(client, "yours")));
        foreach (RespExchange client in clients)
            client.Dispose();
    }

    [Fact]
    public void A_lock_is_extended_by_its_owner_and_taken_again_after_its_expiry()
    {
        using RespExchange client = _servers[0].Connect();
        Assert.Equal("+OK\r\n", Acquire(client, "mine"));
        Assert.Equal(":-1\r\n", client.ExecuteText("EVAL", Extend, "1", "lock", "yours", "900000"));
        Assert.Equal(":1\r\n", client.ExecuteText("EVAL", Extend, "1", "lock", "mine", "900000"));
        Assert.InRange(long.Parse(client.ExecuteText("PTTL", "lock")[1..^2], CultureInfo.InvariantCulture), 60_001, 900_000);
        client.Execute("DEL", "lock");
        Assert.Equal(":1\r\n", client.ExecuteText("EVAL", Extend, "1", "lock", "yours", "900000"));
        Assert.Equal("$5\r\nyours\r\n", client.ExecuteText("GET", "lock"));
    }

    public void Dispose()
    {
        foreach (TestServer server in _servers)
            server.Dispose();
    }

    private static string Acquire(RespExchange client, string value) => client.ExecuteText("SET", "lock", value, "NX", "PX", "60000");
}
