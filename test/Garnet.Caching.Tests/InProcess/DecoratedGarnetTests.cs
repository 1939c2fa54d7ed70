// The typed commands over an IGarnet that is an application's own. A server of its own.
using System.Buffers;
using System.Text;
using Garnet.Client;
using Garnet.Testing;
using Xunit;

namespace Garnet.Caching.Tests.InProcess;

public sealed class DecoratedGarnetTests : IAsyncDisposable
{
    private readonly ManualTimeProvider _clock = new();
    private readonly GarnetServer _server;
    private readonly Recorder _garnet;

    public DecoratedGarnetTests()
    {
        _server = new GarnetServerBuilder
        {
            Options = new GarnetOptions { Bind = [] },
            TimeProvider = _clock,
        }.Build();
        _garnet = new Recorder(_server.InProcess);
    }

    [Fact]
    public async Task Every_typed_command_goes_through_the_core()
    {
        await _server.StartAsync();
        ArrayBufferWriter<byte> writer = new();
        byte[] value = new byte[8];
        Assert.True(_garnet.Set("k", "v"));
        Assert.Equal("v"u8.ToArray(), _garnet.Get("k"));
        Assert.Null(_garnet.Get("none"));
        Assert.Equal("v", _garnet.GetString("k"));
        Assert.Equal(1, _garnet.Get("k", value));
        Assert.Equal(-1, _garnet.Get("none", value));
        Assert.True(_garnet.TryGet("k", writer));
        Assert.False(_garnet.TryGet("none", writer));
        Assert.False(_garnet.Read("none", writer, static (_, _) => { }));
        Assert.False(_garnet.Set("k", "w", new SetOptions { Condition = SetCondition.IfMissing }));
        Assert.True(_garnet.SetIfEqual("k", "v"u8, "w"u8, new SetOptions { Condition = SetCondition.IfMissing }));
        Assert.True(_garnet.Set("s", "v", new SetOptions { Sliding = TimeSpan.FromSeconds(9), ExpiresAt = _clock.GetUtcNow().AddDays(1) }));
        Assert.Equal("v"u8.ToArray(), _garnet.GetAndRenew("s"));
        Assert.True(_garnet.TryGetAndRenew("s", writer));
        Assert.True(_garnet.Renew("s"));
        Assert.Equal(TimeSpan.FromSeconds(9), _garnet.GetTimeToLive("s"));
        Assert.True(_garnet.Set("s", "v", new SetOptions { KeepsExpiry = true }));
        Assert.True(_garnet.Persist("s"));
        Assert.Equal(Timeout.InfiniteTimeSpan, _garnet.GetTimeToLive("s"));
        Assert.True(_garnet.Expire("s", TimeSpan.FromSeconds(1)));
        Assert.True(_garnet.ExpireAt("s", _clock.GetUtcNow()));
        Assert.False(_garnet.Exists("s"));
        Assert.Equal(-4, _garnet.Increment("n", -4));
        Assert.True(_garnet.HashSet("h", "f", "v"));
        Assert.Equal("v"u8.ToArray(), _garnet.HashGet("h", "f"));
        Assert.True(_garnet.HashDelete("h", "f"));
        Assert.True(_garnet.Delete("n"));
        Assert.Equal("vvv", Encoding.UTF8.GetString(writer.WrittenSpan) + "v");
        Assert.Equal(27, _garnet.Calls);
    }

    [Fact]
    public async Task And_so_does_its_async_form()
    {
        await _server.StartAsync();
        ArrayBufferWriter<byte> writer = new();
        byte[] value = new byte[8];
        foreach (IGarnet garnet in new[] { _garnet, _server.InProcess })
        {
            writer.Clear();
            Assert.True(await garnet.SetAsync("k", "v", new SetOptions { ExpiresAfter = TimeSpan.FromSeconds(5) }));
            Assert.Equal(TimeSpan.FromSeconds(5), await garnet.GetTimeToLiveAsync("k"));
            Assert.Equal("v"u8.ToArray(), await garnet.GetAsync("k"));
            Assert.Equal("v", await garnet.GetStringAsync("k"));
            Assert.Null(await garnet.GetStringAsync("none"));
            Assert.Equal(1, await garnet.GetAsync("k", value));
            Assert.Equal(-1, await garnet.GetAsync("none", value));
            Assert.True(await garnet.TryGetAsync("k", writer));
            Assert.False(await garnet.ReadAsync("none", writer, static (_, _) => { }));
            Assert.True(await garnet.SetIfEqualAsync("k", "v"u8.ToArray(), "w"u8.ToArray()));
            Assert.True(await garnet.SetAsync("s", "v", new SetOptions { Sliding = TimeSpan.FromSeconds(9) }));
            Assert.Equal("v"u8.ToArray(), await garnet.GetAndRenewAsync("s"));
            Assert.True(await garnet.TryGetAndRenewAsync("s", writer));
            Assert.True(await garnet.RenewAsync("s"));
            Assert.True(await garnet.PersistAsync("s"));
            Assert.True(await garnet.ExpireAsync("s", TimeSpan.FromSeconds(1)));
            Assert.True(await garnet.ExpireAtAsync("s", _clock.GetUtcNow()));
            Assert.False(await garnet.ExistsAsync("s"));
            Assert.Null(await garnet.GetTimeToLiveAsync("s"));
            Assert.Equal(3, await garnet.IncrementAsync("n", 3));
            Assert.True(await garnet.HashSetAsync("h", "f", "v"));
            Assert.Equal("v"u8.ToArray(), await garnet.HashGetAsync("h", "f"));
            Assert.True(await garnet.HashDeleteAsync("h", "f"));
            Assert.True(await garnet.DeleteAsync("n"));
            Assert.Equal("vv", Encoding.UTF8.GetString(writer.WrittenSpan));
            using CancellationTokenSource cancelled = new();
            await cancelled.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await garnet.ExistsAsync("k", cancelled.Token));
        }

        Assert.Equal(25, _garnet.Calls);
    }

    [Fact]
    public async Task Transactions_of_others_queue_the_same_commands()
    {
        await _server.StartAsync();
        using IGarnetTransaction transaction = _garnet.BeginTransaction();
        transaction.Watch("w");
        transaction.Set("k", "v", new SetOptions { ExpiresAfter = TimeSpan.FromSeconds(3) });
        Assert.NotNull(transaction.Commit());
        Assert.Equal(TimeSpan.FromSeconds(3), _server.InProcess.GetTimeToLive("k"));
    }

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    // Counts what passes.
    private sealed class Recorder(IGarnet inner) : IGarnet
    {
        public int Calls { get; private set; }

        public int Database => inner.Database;

        public IGarnet WithDatabase(int database) => new Recorder(inner.WithDatabase(database));

        public RespValue Execute(string command, params ReadOnlySpan<string> arguments)
        {
            Calls++;
            return inner.Execute(command, arguments);
        }

        public RespValue Execute(string command, params ReadOnlySpan<ReadOnlyMemory<byte>> arguments)
        {
            Calls++;
            return inner.Execute(command, arguments);
        }

        public ValueTask<RespValue> ExecuteAsync(string command, string[] arguments, CancellationToken cancellationToken = default)
        {
            Calls++;
            return inner.ExecuteAsync(command, arguments, cancellationToken);
        }

        public ValueTask<RespValue> ExecuteAsync(
            string command,
            ReadOnlyMemory<byte>[] arguments,
            CancellationToken cancellationToken = default
        )
        {
            Calls++;
            return inner.ExecuteAsync(command, arguments, cancellationToken);
        }

        public IGarnetTransaction BeginTransaction() => new Transaction(inner.BeginTransaction());
    }

    private sealed class Transaction(IGarnetTransaction inner) : IGarnetTransaction
    {
        public int Count => inner.Count;

        public void Watch(ReadOnlySpan<byte> key) => inner.Watch(key);

        public void Queue(string command, params ReadOnlySpan<string> arguments) => inner.Queue(command, arguments);

        public void Queue(string command, params ReadOnlySpan<ReadOnlyMemory<byte>> arguments) => inner.Queue(command, arguments);

        public IReadOnlyList<RespValue>? Commit() => inner.Commit();

        public ValueTask<IReadOnlyList<RespValue>?> CommitAsync(CancellationToken cancellationToken = default) =>
            inner.CommitAsync(cancellationToken);

        public void Dispose() => inner.Dispose();
    }
}
