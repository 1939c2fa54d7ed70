// Replies to cluster-aware clients, as Valkey 9.1.2 gives them without cluster mode. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Cluster;

public sealed class ClusterCommandsTests
{
    private const string Disabled = "-ERR This instance has cluster support disabled\r\n";

    [Theory]
    [InlineData(Disabled, "ASKING")]
    [InlineData(Disabled, "CLUSTER", "INFO")]
    [InlineData(Disabled, "CLUSTER", "HELP")]
    [InlineData(Disabled, "CLUSTER", "COUNTKEYSINSLOT", "1")]
    [InlineData(Disabled, "CLUSTER", "SETSLOT", "1", "NODE", "x")]
    [InlineData(":16287\r\n", "CLUSTER", "KEYSLOT", "x")]
    [InlineData(":12739\r\n", "CLUSTER", "KEYSLOT", "123456789")]
    [InlineData(":15495\r\n", "CLUSTER", "KEYSLOT", "b{a}c{x}")]
    [InlineData(":0\r\n", "CLUSTER", "KEYSLOT", "")]
    [InlineData("-ERR unknown subcommand 'NOSUCH'. Try CLUSTER HELP.\r\n", "CLUSTER", "NOSUCH")]
    [InlineData("-ERR wrong number of arguments for 'cluster|keyslot' command\r\n", "CLUSTER", "KEYSLOT")]
    [InlineData("-ERR wrong number of arguments for 'cluster|info' command\r\n", "CLUSTER", "INFO", "x")]
    public void Commands_are_answered_in_Valkeys_words(string reply, params string[] command)
    {
        using InProcessServer server = new();
        Assert.Equal(reply, server.Call(command));
    }

    [Fact]
    public void A_right_is_given_for_a_subcommand()
    {
        using InProcessServer server = new();
        Assert.Equal("+OK\r\n", server.Call("ACL", "SETUSER", "default", "-cluster|keyslot"));
        const string refused = "User default has no permissions to run the 'cluster|keyslot' command";
        Assert.Equal($"-NOPERM {refused}\r\n", server.Call("CLUSTER", "KEYSLOT", "x"));
        Assert.StartsWith(
            $"-ERR ACL failure in script: {refused}",
            server.Call("EVAL", "return redis.call('cluster', 'keyslot', 'x')", "0"),
            StringComparison.Ordinal
        );
        Assert.Equal(Disabled, server.Call("CLUSTER", "INFO"));
    }
}
