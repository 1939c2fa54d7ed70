// Connections to a primary with passwords, users and TLS.
using System.Net;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Replication;

public sealed class SecureReplicationTests
{
    [Fact]
    public void A_replica_logs_in_with_the_password_of_its_options()
    {
        using var replica = ReplicationNode.Start(ReplicationNode.Ours);
        using var primary = TestServer.Start(static options =>
        {
            options.Password = "secret";
            options.DisklessSyncDelay = TimeSpan.Zero;
        });
        Assert.Equal("+OK\r\n", replica.Call("REPLICAOF", "127.0.0.1", $"{primary.EndPoint.Port}"));
        ReplicationNode.Await(() => replica.Info().ContainsKey("master_link_down_since_seconds"));
        Assert.Equal("down", replica.Info()["master_link_status"]);
        Assert.Equal("+OK\r\n", replica.Call("CONFIG", "SET", "masterauth", "secret"));
        ReplicationNode.Await(() => replica.Info()["master_link_status"] == "up");
    }

    [Fact]
    public async Task A_replica_connects_with_TLS_and_its_own_certificate()
    {
        await using TlsTestServer primary = await TlsTestServer.StartAsync(
            static (options, certificates) =>
            {
                options.TlsCaCertFile = certificates.AuthorityFile;
                options.TlsAuthClients = ClientCertificates.Yes;
                options.DisklessSyncDelay = TimeSpan.Zero;
            }
        );
        using (var client = RespExchange.Connect(primary.PlainEndPoint))
            client.Execute("SET", "a", new string('x', 1_000_000));
        (string certificate, string key) = primary.Certificates.WriteClient("replica");
        using var replica = ReplicationNode.Start(
            ReplicationNode.Ours,
            options =>
            {
                options.TlsReplication = true;
                options.TlsCertFile = certificate;
                options.TlsKeyFile = key;
                options.TlsCaCertFile = primary.Certificates.AuthorityFile;
                options.ReplicaOf = $"127.0.0.1 {primary.EndPoint.Port}";
            }
        );
        ReplicationNode.Await(() => replica.Info()["master_link_status"] == "up");
        Assert.Equal(":1000000\r\n", replica.Call("STRLEN", "a"));
        using (var client = RespExchange.Connect(primary.PlainEndPoint))
        {
            client.Execute("SET", "b", "2");
            Assert.Equal(":1\r\n", client.ExecuteText("WAIT", "1", "0"));
        }

        Assert.Equal("$1\r\n2\r\n", replica.Call("GET", "b"));
    }

    [Fact]
    public void A_replica_follows_over_a_Unix_socket()
    {
        string folder = Directory.CreateTempSubdirectory("garnet-socket-").FullName;
        try
        {
            string path = Path.Combine(folder, "s");
            using GarnetServer primary = new GarnetServerBuilder { Options = new GarnetOptions { DisklessSyncDelay = TimeSpan.Zero } }
                .Listen(new System.Net.Sockets.UnixDomainSocketEndPoint(path))
                .Listen(new IPEndPoint(IPAddress.Loopback, 0))
                .Build();
            primary.StartAsync().GetAwaiter().GetResult();
            using var replica = ReplicationNode.Start(ReplicationNode.Ours);
            Assert.Equal("+OK\r\n", replica.Call("REPLICAOF", path, "0"));
            ReplicationNode.Await(() => replica.Info()["master_link_status"] == "up");
            primary.StopAsync().GetAwaiter().GetResult();
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }
}
