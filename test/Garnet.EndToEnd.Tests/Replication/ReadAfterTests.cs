// An application whose server is a replica of a central one: it reads what was written there before.
using System.Globalization;
using System.Net;
using Garnet.Client;
using Garnet.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Xunit;

namespace Garnet.EndToEnd.Tests.Replication;

public sealed class ReadAfterTests : IDisposable
{
    private const string Redis = "redis-server";
    private const string Valkey = "valkey-server";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-read-after-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public Task An_application_reads_its_own_writes_to_ours() => ReadOwnWritesAsync(ReplicationNode.Ours);

    [PeerFact(Redis)]
    public Task An_application_reads_its_own_writes_to_Redis() => ReadOwnWritesAsync(Redis);

    [PeerFact(Valkey, Optional = true)]
    public Task An_application_reads_its_own_writes_to_Valkey() => ReadOwnWritesAsync(Valkey);

    [Fact]
    public async Task A_client_of_a_replica_reads_the_writes_of_a_client_of_the_primary()
    {
        using var primary = ReplicationNode.Start(ReplicationNode.Ours);
        using var replica = ReplicationNode.Start(ReplicationNode.Ours);
        using RespClient writer = await RespClient.ConnectAsync("127.0.0.1", primary.Port);
        using RespClient reader = await RespClient.ConnectAsync("127.0.0.1", replica.Port);
        await Assert.ThrowsAsync<InvalidOperationException>(() => writer.GetReplicationTokenAsync());
        replica.Follow(primary);
        replica.AwaitSync(primary);
        for (int i = 0; i < 100; i++)
        {
            await writer.CallAsync("SET", "a", i.ToString(CultureInfo.InvariantCulture));
            ReplicationToken token = await writer.GetReplicationTokenAsync();
            Assert.True(ReplicationToken.TryParse(token.ToString(), out ReplicationToken parsed));
            Assert.Equal(token, parsed);
            await reader.ReadAfterAsync(token, Patience);
            Assert.Equal(i.ToString(CultureInfo.InvariantCulture), (await reader.CallAsync("GET", "a")).AsString());
            await writer.ReadAfterAsync(token, TimeSpan.Zero);
        }

        ReplicationToken other = new(new string('a', 40), 1);
        await Assert.ThrowsAsync<InvalidOperationException>(() => reader.ReadAfterAsync(other, Patience));
        ReplicationToken late = await writer.GetReplicationTokenAsync();
        late = late with { Position = late.Position + 1_000_000 };
        await Assert.ThrowsAsync<TimeoutException>(() => reader.ReadAfterAsync(late, TimeSpan.Zero));
    }

    private async Task ReadOwnWritesAsync(string kind)
    {
        using var primary = ReplicationNode.Start(kind);
        HostApplicationBuilder application = Host.CreateEmptyApplicationBuilder(null);
        application.Services.AddGarnet(options =>
        {
            options.Port = 0;
            options.UnixSocket = Path.Combine(_folder, "s");
            options.ReplicaOf = $"127.0.0.1 {primary.Port}";
            options.ReplicaMaxLag = TimeSpan.FromMinutes(10);
        });
        using IHost host = application.Build();
        await host.StartAsync();
        GarnetServer server = host.Services.GetRequiredService<GarnetServer>();
        IGarnet replica = host.Services.GetRequiredService<IGarnet>();
        await server.Ready;
        ReplicationNode.Await(() => server.IsReady, () => server.NotReadyReason ?? "");
        using RespMultiplexer writer = new(
            new RespMultiplexerOptions { EndPoint = new IPEndPoint(IPAddress.Loopback, primary.Port), ReplyTimeout = Patience }
        );
        for (int i = 0; i < 100; i++)
        {
            string value = i.ToString(CultureInfo.InvariantCulture);
            await writer.CallAsync("SET", "a", value);
            await server.ReadAfterAsync(await writer.GetReplicationTokenAsync(), Patience);
            Assert.Equal(value, replica.Execute("GET", "a").AsString());
        }

        Assert.Contains("master_link_status:up", replica.Execute("INFO", "replication").AsString()!, StringComparison.Ordinal);
        GarnetCommandException refused = Assert.Throws<GarnetCommandException>(() => replica.Execute("SET", "a", "1"));
        Assert.StartsWith("READONLY", refused.Message, StringComparison.Ordinal);
        await host.StopAsync();
    }
}
