// A server in the process with a StackExchange.Redis client on it. One owner; disposed by it.
using Garnet.Testing;
using StackExchange.Redis;

namespace Garnet.DotNetClients.Tests;

/// <summary>Starts a server and connects as an application would, by a configuration string's options.</summary>
internal sealed class RedisConnection : IAsyncDisposable
{
    private RedisConnection(TestServer server, ConnectionMultiplexer multiplexer) => (Server, Multiplexer) = (server, multiplexer);

    public TestServer Server { get; }

    public ConnectionMultiplexer Multiplexer { get; }

    public IDatabase Database => Multiplexer.GetDatabase();

    /// <summary>The server's administration, which the client gives by endpoint.</summary>
    public IServer Admin => Multiplexer.GetServer(Server.EndPoint);

    public static async Task<RedisConnection> OpenAsync(
        RedisProtocol protocol = RedisProtocol.Resp2,
        Action<GarnetOptions>? configure = null,
        Action<ConfigurationOptions>? connect = null
    )
    {
        var server = TestServer.Start(configure);
        ConfigurationOptions options = OptionsFor(server, protocol);
        connect?.Invoke(options);
        ConnectionMultiplexer multiplexer = await ConnectionMultiplexer.ConnectAsync(options);
        // The client says that it is connected while its reader may still have to write a question of its own. A transaction with
        // conditions would hold the lock for writing until that reader has read the conditions' replies: both wait until they time out.
        await multiplexer.GetDatabase().PingAsync();
        return new RedisConnection(server, multiplexer);
    }

    /// <summary>Options with timeouts that a busy machine does not reach.</summary>
    public static ConfigurationOptions OptionsFor(TestServer server, RedisProtocol protocol = RedisProtocol.Resp2) =>
        new()
        {
            EndPoints = { server.EndPoint },
            Protocol = protocol,
            AllowAdmin = true,
            AbortOnConnectFail = true,
            ConnectTimeout = 15_000,
            SyncTimeout = 60_000,
            AsyncTimeout = 60_000,
        };

    public async ValueTask DisposeAsync()
    {
        await Multiplexer.DisposeAsync();
        Server.Dispose();
    }
}
