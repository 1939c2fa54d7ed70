// Functions on replicas: in the snapshot and in the stream, between our servers and with real Redis and Valkey.
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Replication;

public sealed class FunctionReplicationTests
{
    private const string Ours = ReplicationNode.Ours;

    [Fact]
    public void Between_our_servers() => Replicate(Ours, Ours);

    [PeerFact("redis-server")]
    public void To_Redis() => Replicate(Ours, "redis-server");

    [PeerFact("redis-server")]
    public void From_Redis() => Replicate("redis-server", Ours);

    [PeerFact("valkey-server", Optional = true)]
    public void To_Valkey() => Replicate(Ours, "valkey-server");

    [PeerFact("valkey-server", Optional = true)]
    public void From_Valkey() => Replicate("valkey-server", Ours);

    private static void Replicate(string from, string to)
    {
        using var primary = ReplicationNode.Start(from);
        using var replica = ReplicationNode.Start(to);
        replica.Call("FUNCTION", "LOAD", Library("own", "own", "return 1"));
        primary.Call("FUNCTION", "LOAD", Library("a", "set", "return redis.call('set', k[1], a[1])"));
        primary.Call("FUNCTION", "LOAD", Library("b", "b", "return 'b'", "no-writes"));
        replica.Follow(primary);
        replica.AwaitSync(primary);
        Assert.Equal("-ERR Function not found\r\n", replica.Call("FCALL", "own", "0"));
        Assert.Equal("$1\r\nb\r\n", replica.Call("FCALL_RO", "b", "0"));
        Assert.Equal("-READONLY You can't write against a read only replica.\r\n", replica.Call("FCALL", "set", "1", "k", "v"));

        using RespExchange client = primary.Connect();
        client.Execute("FUNCTION", "LOAD", "REPLACE", Library("b", "b", "return 'new'", "no-writes"));
        client.Execute("FUNCTION", "DELETE", "a");
        client.Execute("FUNCTION", "LOAD", Library("c", "c", "redis.call('set', 'x', 1) return redis.call('incr', 'x')"));
        Assert.Equal(":2\r\n", client.ExecuteText("FCALL", "c", "0"));
        Assert.Equal(":1\r\n", client.ExecuteText("WAIT", "1", "0"));
        Assert.Equal("$3\r\nnew\r\n", replica.Call("FCALL_RO", "b", "0"));
        Assert.Equal("-ERR Function not found\r\n", replica.Call("FCALL", "set", "1", "k", "v"));
        Assert.Equal("$1\r\n2\r\n", replica.Call("GET", "x"));
        client.Execute("FUNCTION", "FLUSH");
        Assert.Equal(":1\r\n", client.ExecuteText("WAIT", "1", "0"));
        Assert.Equal("*0\r\n", replica.Call("FUNCTION", "LIST"));
    }

    private static string Library(string name, string function, string body, string flags = "") =>
        $"#!lua name={name}\nredis.register_function{{function_name='{function}', callback=function(k, a) {body} end, "
        + $"flags={{{(flags.Length == 0 ? "" : $"'{flags}'")}}}}}";
}
