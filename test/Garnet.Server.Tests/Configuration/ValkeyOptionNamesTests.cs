// Which of Valkey's options are known. valkey-options.txt has the names of all options of valkey-server 9.1, hidden ones and aliases
// included. No shared state, any order.
using Garnet.Server.Configuration;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Configuration;

public sealed class ValkeyOptionNamesTests
{
    private static readonly string[] Names = File.ReadAllLines(
        RepositoryRoot.Combine("test", "Garnet.Server.Tests", "Configuration", "valkey-options.txt")
    );

    [Fact]
    public void Every_option_of_Valkey_is_known() => Assert.Equal([], Names.Where(static name => OptionTable.Find(name) is null));

    // What an alias stands for is what it stands for in Valkey: other names of the same option are known by the same row.
    [Theory]
    [InlineData("slowlog-max-len", "commandlog-slow-execution-max-len")]
    [InlineData("cluster-slave-no-failover", "cluster-replica-no-failover")]
    [InlineData("server_cpulist", "server-cpulist")]
    [InlineData("lua-time-limit", "busy-reply-threshold")]
    [InlineData("slave-lazy-flush", "replica-lazy-flush")]
    public void Aliases_are_other_names_of_one_option(string alias, string name) =>
        Assert.Same(OptionTable.Find(name), OptionTable.Find(alias));

    [Fact]
    public void An_option_without_effect_says_so()
    {
        foreach (OptionDescriptor option in OptionTable.All.Where(static option => option.Group == OptionGroup.Valkey))
        {
            Assert.Contains(option.Name, Names);
            Assert.Matches("without effect|not supported", option.Help);
        }
    }

    [Theory]
    [InlineData("mptcp", "yes")]
    [InlineData("socket-mark-id", "7")]
    [InlineData("rdma-port", "6380")]
    [InlineData("rdma-bind", "127.0.0.1")]
    [InlineData("tls-prefer-server-ciphers", "no")]
    [InlineData("tls-cluster", "yes")]
    [InlineData("tls-client-cert-file", "x.pem")]
    [InlineData("bind-source-addr", "127.0.0.1")]
    [InlineData("propagation-error-behavior", "panic")]
    [InlineData("cluster-enabled", "yes")]
    public void What_is_not_supported_is_not_ignored(string name, string value)
    {
        OptionDescriptor option = OptionTable.Find(name)!;
        string only = option.Format(new GarnetOptions());
        Assert.Equal($"this server supports '{only}' only", option.TrySet(new GarnetOptions(), [value]));
    }
}
