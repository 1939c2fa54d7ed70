// A replica inside an application without endpoints, which nobody can connect to. A primary on loopback and a replica in this process.
using System.Globalization;
using System.Net;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Replication;

public sealed class EmbeddedReplicaTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    // A Sentinel would add a replica for every port that it reads there.
    [Fact]
    public async Task A_replica_without_endpoints_announces_no_port()
    {
        using var primary = TestServer.Start();
        using RespExchange client = primary.Connect();
        Assert.Equal("+OK\r\n", client.ExecuteText("SET", "a", "1"));
        GarnetServerBuilder builder = new() { Options = { Bind = [], ReplicaOf = Address(primary.EndPoint) } };
        await using GarnetServer replica = builder.Build();
        await replica.StartAsync();
        Assert.Empty(replica.EndPoints);
        const string Expected = "slave0:ip=127.0.0.1,state=online,";
        Assert.True(SpinWait.SpinUntil(() => Lines(client).Any(IsExpected), Patience), client.ExecuteText("INFO", "replication"));
        Assert.DoesNotContain("port", Lines(client).Single(IsExpected), StringComparison.Ordinal);
        Assert.Equal("1", replica.InProcess.GetString("a"));
        Assert.Contains("connected_slaves:1", Lines(client));

        static bool IsExpected(string line) => line.StartsWith(Expected, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_replica_announces_the_port_that_it_listens_on()
    {
        using var primary = TestServer.Start();
        using RespExchange client = primary.Connect();
        await using GarnetServer replica = new GarnetServerBuilder { Options = { ReplicaOf = Address(primary.EndPoint) } }
            .Listen(new IPEndPoint(IPAddress.Loopback, 0))
            .Build();
        await replica.StartAsync();
        string expected = $"slave0:ip=127.0.0.1,port={((IPEndPoint)replica.EndPoints[0]).Port},state=";
        Assert.True(SpinWait.SpinUntil(() => Lines(client).Any(line => line.StartsWith(expected, StringComparison.Ordinal)), Patience));
    }

    private static string Address(IPEndPoint endPoint) => string.Create(CultureInfo.InvariantCulture, $"127.0.0.1 {endPoint.Port}");

    private static string[] Lines(RespExchange client) => client.ExecuteText("INFO", "replication").Split("\r\n");
}
