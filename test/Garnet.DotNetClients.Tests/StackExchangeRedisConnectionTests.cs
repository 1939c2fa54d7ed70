// How StackExchange.Redis connects, groups commands and comes back after a loss. Each test has a server of its own.
using System.Diagnostics;
using Garnet.Testing;
using StackExchange.Redis;
using Xunit;

namespace Garnet.DotNetClients.Tests;

public sealed class StackExchangeRedisConnectionTests
{
    // Only a hang takes this long.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    public static TheoryData<RedisProtocol> Protocols => StackExchangeRedisTypesTests.Protocols;

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Transactions_with_conditions(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(protocol);
        IDatabase db = redis.Database;
        ITransaction first = db.CreateTransaction();
        first.AddCondition(Condition.KeyNotExists("k"));
        Task<bool> set = first.StringSetAsync("k", 1);
        Task<long> incremented = first.StringIncrementAsync("k");
        Assert.True(await first.ExecuteAsync());
        Assert.True(await set);
        Assert.Equal(2, await incremented);
        ITransaction second = db.CreateTransaction();
        second.AddCondition(Condition.StringEqual("k", "other"));
        _ = second.StringSetAsync("k", "lost");
        Assert.False(await second.ExecuteAsync());
        Assert.Equal(2, await db.StringGetAsync("k"));
    }

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Batches_and_many_concurrent_callers(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(protocol);
        IDatabase db = redis.Database;
        IBatch batch = db.CreateBatch();
        Task<bool>[] sets = [.. Enumerable.Range(0, 1000).Select(i => batch.StringSetAsync($"k{i}", i))];
        batch.Execute();
        await Task.WhenAll(sets);
        RedisValue[] values = await Task.WhenAll(Enumerable.Range(0, 1000).Select(i => db.StringGetAsync($"k{i}")));
        Assert.Equal([.. Enumerable.Range(0, 1000).Select(static i => (RedisValue)i)], values);
        await db.StringIncrementAsync("ignored", flags: CommandFlags.FireAndForget);
        Assert.Equal(1, await db.StringGetAsync("ignored"));
    }

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Administration(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(
            protocol,
            connect: static options => options.ClientName = "the-application"
        );
        IServer admin = redis.Admin;
        for (int i = 0; i < 300; i++)
            redis.Database.StringSet($"k{i}", i);
        Assert.Equal(300, await admin.DatabaseSizeAsync());
        Assert.Equal(300, admin.Keys(pattern: "k*", pageSize: 50).Count());
        Assert.Contains(await admin.InfoAsync("server"), static section => section.Any(static pair => pair.Key == "redis_version"));
        Assert.Equal("16", (await admin.ConfigGetAsync("databases"))[0].Value);
        await admin.ConfigSetAsync("timeout", 0);
        Assert.Contains(await admin.ClientListAsync(), static client => client.Name == "the-application");
        Assert.True(await admin.PingAsync() >= TimeSpan.Zero);
        Assert.InRange(await admin.TimeAsync(), DateTime.UtcNow.AddMinutes(-1), DateTime.UtcNow.AddMinutes(1));
        await admin.ConfigSetAsync("slowlog-log-slower-than", 0);
        await redis.Database.PingAsync();
        Assert.Contains(await admin.SlowlogGetAsync(), static entry => entry.Arguments[0] == "PING");
        Assert.NotNull(await admin.MemoryStatsAsync());
        await admin.FlushDatabaseAsync();
        Assert.Equal(0, await admin.DatabaseSizeAsync());
        Assert.True(admin.Version.Major >= 7);
        Assert.Equal("PONG", (await redis.Database.ExecuteAsync("PING")).ToString());
        RedisServerException wrong = await Assert.ThrowsAsync<RedisServerException>(() => redis.Database.ExecuteAsync("NOSUCH"));
        Assert.StartsWith("ERR unknown command", wrong.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Passwords(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(
            protocol,
            static options => options.Password = "secret",
            static options => options.Password = "secret"
        );
        Assert.True(await redis.Database.StringSetAsync("k", "v"));
        await Assert.ThrowsAsync<RedisConnectionException>(() =>
            ConnectionMultiplexer.ConnectAsync(
                new ConfigurationOptions
                {
                    EndPoints = { redis.Server.EndPoint },
                    Password = "wrong",
                    Protocol = protocol,
                    ConnectTimeout = 5000,
                    ConnectRetry = 1,
                }
            )
        );
    }

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task A_killed_connection_is_replaced(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(protocol);
        await redis.Database.StringSetAsync("k", "v");
        using RespExchange killer = redis.Server.Connect();
        for (int i = 0; i < 3; i++)
        {
            killer.ExecuteText("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
            Assert.Equal("v", await TryAsync(() => redis.Database.StringGetAsync("k")));
        }
    }

    [Fact]
    public async Task Over_Tls()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        var options = new ConfigurationOptions
        {
            EndPoints = { server.EndPoint },
            Ssl = true,
            SslHost = "localhost",
            ConnectTimeout = 15_000,
        };
        options.TrustIssuer(server.Certificates.AuthorityFile);
        await using ConnectionMultiplexer redis = await ConnectionMultiplexer.ConnectAsync(options);
        byte[] large = new byte[300_000];
        Assert.True(await redis.GetDatabase().StringSetAsync("k", large));
        Assert.Equal(large, (byte[]?)await redis.GetDatabase().StringGetAsync("k"));
    }

    // While a connection is away, a call fails at once or waits for the next one, as the client's backlog decides; an application tries
    // again.
    private static async Task<RedisValue> TryAsync(Func<Task<RedisValue>> call)
    {
        long start = Stopwatch.GetTimestamp();
        while (true)
        {
            try
            {
                return await call();
            }
            catch (RedisException) when (Stopwatch.GetElapsedTime(start) < Patience)
            {
                await Task.Delay(50);
            }
        }
    }
}
