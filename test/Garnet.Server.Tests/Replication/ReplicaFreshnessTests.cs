// How old a replica's data is, and waiting until it contains a write. The clock is the test's.
using System.Globalization;
using Garnet.Server.Replication;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Replication;

public sealed class ReplicaFreshnessTests : IDisposable
{
    private const string Ping = "*1\r\n$4\r\nPING\r\n";
    private const string Set = "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\n1\r\n";

    // Longer than any wait that succeeds; the clock never gets there.
    private static readonly TimeSpan Patience = TimeSpan.FromHours(1);

    private readonly LivePrimary _primary = new();
    private readonly InProcessServer _server;

    public ReplicaFreshnessTests() =>
        _server = new InProcessServer(static options => options.ReplicaMaxLag = TimeSpan.FromSeconds(10), connector: _primary);

    public void Dispose() => _server.Dispose();

    private ReplicaFreshness Freshness => new(_server.Server.Configuration, _server.Server.Replication, _server.Server.Clock);

    [Fact]
    public void The_lag_is_the_time_since_everything_received_was_applied()
    {
        Assert.Null(Freshness.Problem());
        Assert.DoesNotContain("replica_lag_seconds", _server.Call("INFO", "replication"), StringComparison.Ordinal);
        _server.Call("REPLICAOF", "primary", "1");
        Assert.Equal(-1, Lag());
        Assert.Contains("not synchronized", Freshness.Problem(), StringComparison.Ordinal);
        Synchronize();
        Assert.Equal(0, Lag());
        Assert.Null(Freshness.Problem());
        _server.Clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(10, Lag());
        Assert.Null(Freshness.Problem());
        _server.Clock.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal("the replica's data is 10 s old; replica-max-lag is 10 s", Freshness.Problem());
        _primary.Send(Ping);
        Assert.True(SpinWait.SpinUntil(() => Lag() == 0, Patience));
        _server.Clock.Advance(TimeSpan.FromSeconds(20));
        Assert.NotNull(Freshness.Problem());
        _server.Call("CONFIG", "SET", "replica-max-lag", "20");
        Assert.Null(Freshness.Problem());
        _server.Call("CONFIG", "SET", "replica-max-lag", "0");
        _server.Clock.Advance(TimeSpan.FromMinutes(10));
        Assert.Null(Freshness.Problem());
    }

    [Fact]
    public void A_command_of_which_a_part_has_arrived_is_not_applied()
    {
        _server.Call("REPLICAOF", "primary", "1");
        Synchronize();
        _server.Clock.Advance(TimeSpan.FromSeconds(5));
        _primary.Send(Ping + Set[..10]);
        Assert.True(SpinWait.SpinUntil(() => Position == 128 && _primary.IsRead, Patience));
        Assert.Equal(5, Lag());
        _primary.Send(Set[10..]);
        Assert.True(SpinWait.SpinUntil(() => Lag() == 0, Patience));
    }

    // As with TLS, where a read brings one record, however many there are.
    [Fact]
    public async Task While_there_is_more_to_read_the_data_is_not_that_of_the_primary()
    {
        using SlowlyRead primary = new(25);
        using InProcessServer server = new(connector: primary);
        primary.Reading = () => server.Clock.Advance(TimeSpan.FromSeconds(1));
        server.Call("REPLICAOF", "primary", "1");
        await primary.Ended.WaitAsync(Patience);
        Assert.Contains("replica_lag_seconds:25\r\n", server.Call("INFO", "replication"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Reading_after_a_write_waits_for_it()
    {
        _server.Call("REPLICAOF", "primary", "1");
        Synchronize();
        await WaitAsync(ScriptedPrimary.Id, 100);
        await WaitAsync(ScriptedPrimary.Id, 114);
        Task wait = WaitAsync(ScriptedPrimary.Id, 114 + Set.Length);
        _primary.Send(Ping[..5]);
        Assert.False(wait.IsCompleted);
        _primary.Send(Ping[5..]);
        Assert.True(SpinWait.SpinUntil(() => Position == 128, Patience));
        Assert.False(wait.IsCompleted);
        _primary.Send(Set);
        await wait;
        Assert.Equal("$1\r\n1\r\n", _server.Call("GET", "a"));
    }

    [Fact]
    public async Task Another_history_is_an_error_and_so_is_a_lost_position()
    {
        _server.Call("REPLICAOF", "primary", "1");
        // It may still become a replica with that history.
        Task early = WaitAsync(ScriptedPrimary.Id, 114);
        Assert.False(early.IsCompleted);
        Synchronize();
        await early;
        await Assert.ThrowsAsync<InvalidOperationException>(() => WaitAsync(new string('a', 40), 1));
        _server.Call("REPLICAOF", "NO", "ONE");
        await WaitAsync(ScriptedPrimary.Id, 114);
        await Assert.ThrowsAsync<InvalidOperationException>(() => WaitAsync(ScriptedPrimary.Id, 115));
    }

    [Fact]
    public async Task The_wait_ends_with_the_timeout_or_when_it_is_cancelled()
    {
        _server.Call("REPLICAOF", "primary", "1");
        Synchronize();
        await Assert.ThrowsAsync<TimeoutException>(() =>
            Freshness.WaitAsync(ScriptedPrimary.Id, 1000, TimeSpan.Zero, CancellationToken.None)
        );
        using CancellationTokenSource cancel = new();
        Task wait = Freshness.WaitAsync(ScriptedPrimary.Id, 1000, Patience, cancel.Token);
        Assert.False(wait.IsCompleted);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => wait);
    }

    // Everything is there at once; each PING takes a read of its own.
    private sealed class SlowlyRead(int pings) : PeerStream, IServerConnector
    {
        private readonly byte[] _bytes = System.Text.Encoding.Latin1.GetBytes(ScriptedPrimary.Handshake + ScriptedPrimary.EmptySnapshot);
        private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _position;
        private int _pings = pings;
        private int _connections;

        public Action Reading { get; set; } = static () => { };

        public Task Ended => _ended.Task;

        public Task<Stream> ConnectAsync(string host, int port, GarnetOptions options, CancellationToken cancellationToken) =>
            Interlocked.Increment(ref _connections) == 1 ? Task.FromResult<Stream>(this) : throw new IOException("There is only one.");

        public override int Read(Span<byte> buffer)
        {
            if (_position < _bytes.Length)
            {
                int length = Math.Min(buffer.Length, _bytes.Length - _position);
                _bytes.AsSpan(_position, length).CopyTo(buffer);
                _position += length;
                return length;
            }

            if (_pings-- <= 0)
                return 0;
            Reading();
            return System.Text.Encoding.Latin1.GetBytes(Ping, buffer);
        }

        protected override void Dispose(bool disposing)
        {
            _ended.TrySetResult();
            base.Dispose(disposing);
        }
    }

    private long Position => _server.Server.Replication.Effects.Stream.Position;

    private Task WaitAsync(string history, long position) => Freshness.WaitAsync(history, position, Patience, CancellationToken.None);

    // The snapshot's position is 100.
    private void Synchronize()
    {
        _primary.Send(ScriptedPrimary.Handshake + ScriptedPrimary.EmptySnapshot);
        _primary.Send(Ping);
        Assert.True(SpinWait.SpinUntil(() => Position == 114 && Lag() == 0, Patience));
    }

    private long Lag()
    {
        const string name = "replica_lag_seconds:";
        string info = _server.Call("INFO", "replication");
        string line = info.Split("\r\n").Single(static line => line.StartsWith(name, StringComparison.Ordinal));
        return long.Parse(line[name.Length..], CultureInfo.InvariantCulture);
    }
}
