// ROLE, REPLCONF, PSYNC, SYNC, REPLICAOF and FAILOVER as clients see them, without another server.
using System.Globalization;
using Garnet.Server.Replication;
using Garnet.Store;
using Xunit;

namespace Garnet.Server.Tests.Commands.Replication;

[Trait("Values", "InMemory")]
public sealed class ReplicationCommandTests
{
    [Fact]
    public void Role_shows_a_primary()
    {
        using InProcessServer server = new();
        Assert.Equal("*3\r\n$6\r\nmaster\r\n:0\r\n*0\r\n", server.Call("ROLE"));
    }

    [Fact]
    public void Role_shows_a_replica_that_has_no_connection()
    {
        using InProcessServer server = new();
        Assert.Equal("+OK\r\n", server.Call("REPLICAOF", "10.0.0.1", "6379"));
        Assert.Equal("+OK Already connected to specified master\r\n", server.Call("SLAVEOF", "10.0.0.1", "6379"));
        string role = server.Call("ROLE");
        Assert.StartsWith("*5\r\n$5\r\nslave\r\n$8\r\n10.0.0.1\r\n:6379\r\n$", role, StringComparison.Ordinal);
        Assert.EndsWith("\r\n:-1\r\n", role, StringComparison.Ordinal);
        Assert.Contains("master_link_status:down\r\n", server.Call("INFO", "replication"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", server.Call("REPLICAOF", "no", "one"));
        Assert.StartsWith("*3\r\n$6\r\nmaster\r\n", server.Call("ROLE"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("REPLICAOF host port", "-ERR Invalid master port\r\n")]
    [InlineData("REPLICAOF host 65536", "-ERR Invalid master port\r\n")]
    [InlineData("REPLICAOF host", "-ERR wrong number of arguments for 'replicaof' command\r\n")]
    [InlineData("REPLCONF a", "-ERR syntax error\r\n")]
    [InlineData("REPLCONF unknown 1", "-ERR Unrecognized REPLCONF option: unknown\r\n")]
    [InlineData("REPLCONF version 9", "-ERR Unrecognized version format: 9\r\n")]
    [InlineData("REPLCONF version 9.1.x", "-ERR Unrecognized version format: 9.1.x\r\n")]
    [InlineData("REPLCONF listening-port x", "-ERR value is not an integer or out of range\r\n")]
    [InlineData("REPLCONF rdb-filter-only keys", "-ERR Unsupported rdb-filter-only option: keys\r\n")]
    [InlineData("REPLCONF rdb-filter-only \"functions", "-ERR Missing rdb-filter-only values\r\n")]
    [InlineData("PSYNC ? x", "-ERR value is not an integer or out of range\r\n")]
    [InlineData("PSYNC x 1 FAILOVER", "-ERR PSYNC FAILOVER can't be sent to a master.\r\n")]
    [InlineData("FAILOVER", "-ERR FAILOVER requires connected replicas.\r\n")]
    [InlineData("FAILOVER ABORT", "-ERR No failover in progress.\r\n")]
    [InlineData("FAILOVER TIMEOUT 0", "-ERR FAILOVER timeout must be greater than 0\r\n")]
    [InlineData("FAILOVER TO host", "-ERR syntax error\r\n")]
    public void Wrong_arguments_are_refused(string command, string error)
    {
        using InProcessServer server = new();
        Assert.Equal(error, server.Call(command.Split(' ')));
    }

    [Fact]
    public void Nothing_beyond_the_end_of_the_stream_is_acknowledged()
    {
        using InProcessServer server = new();
        ServerReplication replication = server.Server.Replication;
        using (StoreSession session = server.Store.OpenSession())
            replication.EnsureBacklog(session);
        server.Call("SET", "a", "1");
        long position = replication.Effects.Stream.Position;
        InProcessClient replica = server.Connect();
        string next = (position + 1).ToString(CultureInfo.InvariantCulture);
        Assert.StartsWith("+CONTINUE", replica.Call("PSYNC", replication.History.Id, next), StringComparison.Ordinal);
        Assert.Equal(ReplicaLinkState.Online, replication.Replicas.All[0].State);
        Assert.Equal("", replica.Call("REPLCONF", "ACK", "1000000", "FACK", "1000000"));
        Assert.Equal(1, replication.Replicas.CountAcknowledged(position, isDurable: false));
        Assert.Equal(0, replication.Replicas.CountAcknowledged(position + 1, isDurable: false));
        Assert.Equal(0, replication.Replicas.CountAcknowledged(1, isDurable: true));
    }

    [Fact]
    public void A_long_address_is_refused()
    {
        using InProcessServer server = new();
        Assert.StartsWith(
            "-ERR REPLCONF ip-address provided by replica instance is too long: 256 bytes\r\n",
            server.Call("REPLCONF", "ip-address", new string('a', 256)),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Announcements_are_accepted_and_acknowledgements_get_no_reply()
    {
        using InProcessServer server = new();
        Assert.Equal("+OK\r\n", server.Call("REPLCONF", "listening-port", "7000", "ip-address", "10.1.2.3"));
        Assert.Equal("+OK\r\n", server.Call("REPLCONF", "capa", "eof", "capa", "psync2", "capa", "something-new"));
        Assert.Equal("+OK\r\n", server.Call("REPLCONF", "version", "9.1.2"));
        Assert.Equal("", server.Call("REPLCONF", "ACK", "0"));
        Assert.Equal("+PONG\r\n", server.Call("PING"));
    }

    [Fact]
    public void A_replica_refuses_writes_and_lets_reads_and_messages_through()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        server.Call("REPLICAOF", "10.0.0.1", "6379");
        Assert.Equal("-READONLY You can't write against a read only replica.\r\n", server.Call("SET", "a", "2"));
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "a"));
        Assert.Equal(":0\r\n", server.Call("PUBLISH", "c", "m"));
        server.Call("CONFIG", "SET", "replica-read-only", "no");
        Assert.Equal("+OK\r\n", server.Call("SET", "a", "2"));
        server.Call("CONFIG", "SET", "replica-serve-stale-data", "no");
        const string down = "-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.\r\n";
        Assert.Equal(down, server.Call("GET", "a"));
        Assert.Equal(down, server.Call("PING"));
        Assert.StartsWith("$", server.Call("INFO", "replication"), StringComparison.Ordinal);
        server.Call("CONFIG", "SET", "replica-serve-stale-data", "yes");
        Assert.StartsWith("-NOMASTERLINK", server.Connect().Call("PSYNC", "?", "-1"), StringComparison.Ordinal);
        Assert.StartsWith("-ERR WAIT cannot be used with replica instances.", server.Call("WAIT", "1", "1"), StringComparison.Ordinal);
        Assert.StartsWith("-ERR FAILOVER is not valid when server is a replica.", server.Call("FAILOVER"), StringComparison.Ordinal);
    }

    [Fact]
    public void Too_few_replicas_deny_writes()
    {
        using InProcessServer server = new();
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "min-slaves-to-write", "1"));
        Assert.Equal("-NOREPLICAS Not enough good replicas to write.\r\n", server.Call("SET", "a", "1"));
        Assert.Equal("$-1\r\n", server.Call("GET", "a"));
        Assert.Contains("min_slaves_good_slaves:0\r\n", server.Call("INFO", "replication"), StringComparison.Ordinal);
        server.Call("CONFIG", "SET", "min-replicas-to-write", "0");
        Assert.Equal("+OK\r\n", server.Call("SET", "a", "1"));
    }

    [Fact]
    public void A_transaction_may_change_the_role_as_Sentinel_does()
    {
        using InProcessServer server = new();
        server.Call("MULTI");
        Assert.Equal("+QUEUED\r\n", server.Call("SLAVEOF", "10.0.0.1", "6379"));
        Assert.Equal("+QUEUED\r\n", server.Call("CONFIG", "REWRITE"));
        Assert.Equal("+QUEUED\r\n", server.Call("CLIENT", "KILL", "TYPE", "normal"));
        Assert.Equal("+QUEUED\r\n", server.Call("CLIENT", "KILL", "TYPE", "pubsub"));
        Assert.Equal("*4\r\n+OK\r\n-ERR The server is running without a config file\r\n:0\r\n:0\r\n", server.Call("EXEC"));
        Assert.StartsWith("*5\r\n$5\r\nslave\r\n", server.Call("ROLE"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_client_that_understands_it_is_sent_to_the_primary()
    {
        const string redirect = "-REDIRECT 10.0.0.1:6379\r\n";
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "CAPA", "redirect"));
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "a"));
        Assert.Equal("+OK\r\n", server.Call("REPLICAOF", "10.0.0.1", "6379"));
        Assert.Equal(redirect, server.Call("GET", "a"));
        Assert.Equal(redirect, server.Call("SET", "a", "1"));
        Assert.Equal(redirect, server.Call("EVAL_RO", "return 1", "0"));
        Assert.Equal("+PONG\r\n", server.Call("PING"));
        server.Call("MULTI");
        Assert.Equal(redirect, server.Call("GET", "a"));
        Assert.StartsWith("-EXECABORT", server.Call("EXEC"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", server.Call("READONLY"));
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "a"));
        Assert.Equal(redirect, server.Call("SET", "a", "1"));
        Assert.Equal("+OK\r\n", server.Call("READWRITE"));
        Assert.Equal(redirect, server.Call("GET", "a"));
        Assert.Equal("$1\r\n1\r\n", server.Connect().Call("GET", "a"));
        Assert.Equal("+RESET\r\n", server.Call("RESET"));
        server.Call("REPLICAOF", "NO", "ONE");
        Assert.Equal("+OK\r\n", server.Call("SET", "a", "1"));
    }
}
