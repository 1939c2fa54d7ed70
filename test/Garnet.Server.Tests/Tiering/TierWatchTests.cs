// What operators are told of the tier: errors once a minute, and when values stop moving and move again.
using Garnet.Server.Tiering;
using Garnet.Store;
using Garnet.Store.Tiering;
using Garnet.Testing;
using Microsoft.Extensions.Logging;
using Xunit;

namespace Garnet.Server.Tests.Tiering;

public sealed class TierWatchTests : IDisposable
{
    private const int NoSpace = 28;
    private const int Broken = 5;

    // As many in a row let the tier pause.
    private const int FailuresInARow = 8;
    private readonly HybridLogStore _store = new(new StoreOptions(), new ManualTimeProvider());
    private readonly MemoryTierDevice _device = new();
    private readonly Lines _log = new();
    private readonly TierWatch _watch;
    private readonly TierOptions _sizes = new()
    {
        MaxBytes = 4 << 20,
        SegmentBytes = 64 << 10,
        BufferBytes = 16 << 10,
        MinValueBytes = 0,
        Buffers = 2 * FailuresInARow,
    };
    private long _nowMs;

    public TierWatchTests()
    {
        ColdTier.Open(_store, _sizes, _device);
        _watch = new TierWatch(_store, _log);
    }

    public void Dispose() => _store.Dispose();

    [Fact]
    public void Errors_of_each_kind_are_logged_once_a_minute()
    {
        Check();
        Assert.Empty(_log.Taken());
        _device.WriteError = NoSpace;
        Move("a");
        Check();
        Assert.StartsWith("1 writes of values to disk have failed (No space left", Assert.Single(_log.Taken()), StringComparison.Ordinal);
        Move("b");
        Move("c");
        _nowMs += 59_999;
        Check();
        Assert.Empty(_log.Taken());
        _nowMs += 1;
        Check();
        Assert.StartsWith("2 writes of values to disk have failed", Assert.Single(_log.Taken()), StringComparison.Ordinal);
        _device.WriteError = 0;
        Move("d");
        _device.ReadError = Broken;
        using StoreSession session = _store.OpenSession();
        session.EnterBatch();
        Assert.Equal(ColdOutcome.Wait, ColdKeys.Prepare(session, [new KeyReference(0, session.Hash("d"u8))], out _));
        session.LeaveBatch();
        Check();
        Assert.StartsWith("1 reads of values on disk have failed (Input/output", Assert.Single(_log.Taken()), StringComparison.Ordinal);
    }

    [Fact]
    public void That_values_stop_moving_is_known_until_one_has_moved_again()
    {
        // A write that succeeds later ends the pause.
        _device.Holds = true;
        Begin("first");
        _device.Holds = false;
        _device.WriteError = NoSpace;
        for (int i = 0; i < FailuresInARow; i++)
            Begin($"k{i}");
        Check();
        Assert.StartsWith("No space left", _watch.Problem, StringComparison.Ordinal);
        Assert.Equal(2, _log.Taken().Count);
        Check();
        Assert.Empty(_log.Taken());
        _device.WriteError = 0;
        _device.Answer();
        TierSweep.Settle(_store.Tier!);
        Check();
        Assert.Null(_watch.Problem);
        Assert.Equal("Values move to disk again", Assert.Single(_log.Taken()));
    }

    [Theory]
    [InlineData(EvictionPolicy.NoEviction, "writes are refused")]
    [InlineData(EvictionPolicy.VolatileLru, "keys with an expiry are deleted")]
    public void A_full_disk_is_logged_with_what_follows(EvictionPolicy policy, string consequence)
    {
        _store.Eviction = new() { Policy = policy };
        for (int i = 0; !_store.Tier!.Segments.IsFull; i++)
            Move($"key {i}", new string('x', 4000));
        Check();
        Assert.Contains(consequence, Assert.Single(_log.Taken()), StringComparison.Ordinal);
        Check();
        Assert.Empty(_log.Taken());
    }

    private void Check() => _watch.Check(_nowMs);

    private void Move(string key, string value = "value")
    {
        Set(key, value);
        TierSweep.MoveAll(_store);
    }

    // Until the device has been asked.
    private void Begin(string key)
    {
        Set(key, "value");
        using var stop = new CancellationTokenSource();
        stop.Cancel();
        using var sweep = new ColdSweep(_store, stop.Token);
        sweep.Move(0, [System.Text.Encoding.ASCII.GetBytes(key)]);
        _store.Tier!.Mover.Run(publishes: true);
    }

    private void Set(string key, string value)
    {
        using StoreSession session = _store.OpenSession();
        session.EnterBatch();
        byte[] bytes = System.Text.Encoding.ASCII.GetBytes(key);
        session.Open(bytes, session.Hash(bytes)).Set(System.Text.Encoding.ASCII.GetBytes(value));
        session.LeaveBatch();
    }

    private sealed class Lines : ILogger
    {
        private readonly List<string> _lines = [];

        public List<string> Taken()
        {
            List<string> taken = [.. _lines];
            _lines.Clear();
            return taken;
        }

        public void Log<TState>(
            LogLevel logLevel,
            EventId eventId,
            TState state,
            Exception? exception,
            Func<TState, Exception?, string> formatter
        ) => _lines.Add(formatter(state, exception));

        public bool IsEnabled(LogLevel logLevel) => true;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;
    }
}
