// Locks that are disposed of while they are waited for, held and asked for. Virtual time.
using Garnet.Caching.Links;
using Garnet.Caching.Locks;
using Garnet.Caching.Tests.Hybrid;
using Garnet.Client;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Caching.Tests.Locks;

public sealed class LockDisposalTests(ITestOutputHelper output) : IAsyncLifetime
{
    private static readonly TimeSpan Lease = TimeSpan.FromSeconds(9);

    private readonly ManualTimeProvider _clock = new();
    private readonly List<GarnetLocks> _all = [];
    private TestServer _server = null!;

    public static TheoryData<bool> Transports => [false, true];

    public Task InitializeAsync()
    {
        _server = TestServer.Start(time: _clock);
        return Task.CompletedTask;
    }

    public async Task DisposeAsync()
    {
        foreach (GarnetLocks locks in _all)
            await locks.DisposeAsync();
        _server.Dispose();
    }

    // Time stands still: the next owner is not held up by places that nobody will take.
    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Who_waits_is_refused_and_gives_its_place_back(bool overSocket)
    {
        GarnetLocks ending = Create(overSocket),
            others = Create(!overSocket);
        IGarnetLock held = await others.AcquireAsync("a");
        Task<IGarnetLock>[] refused = [await WaitAsync(ending, 1), await WaitAsync(ending, 2)];
        Task<IGarnetLock> next = await WaitAsync(others, 3);
        await ending.DisposeAsync();
        foreach (Task<IGarnetLock> each in refused)
            await Assert.ThrowsAsync<ObjectDisposedException>(() => each);
        Assert.Equal(1, Waiting());
        await held.DisposeAsync();
        Assert.True((await next).FencingToken > held.FencingToken);
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await ending.AcquireAsync("a"));
        await ending.DisposeAsync();
    }

    // Without an answer from the server, too: the place runs out then.
    [Fact]
    public async Task Who_waits_for_an_answer_is_refused_when_the_link_is_lost()
    {
        LinkTrouble trouble = new();
        GarnetLocks ending = Create(overSocket: true, trouble),
            others = Create(overSocket: false);
        IGarnetLock held = await others.AcquireAsync("a");
        // The server has the script by which it leaves now.
        using CancellationTokenSource cancel = new();
        Task<IGarnetLock> gone = await WaitAsync(ending, 1, cancel.Token);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => gone);
        Task<IGarnetLock> refused = await WaitAsync(ending, 1);
        trouble.HoldReads();
        Task disposal = ending.DisposeAsync().AsTask();
        await HybridInstances.UntilAsync(() => Waiting() == 0);
        Assert.False(disposal.IsCompleted);
        trouble.IsRefused = true;
        trouble.Cut();
        await disposal;
        await Assert.ThrowsAsync<ObjectDisposedException>(() => refused);
        await held.DisposeAsync();
    }

    [Fact]
    public async Task An_owner_whose_locks_are_disposed_of_learns_that_it_loses_its_lock()
    {
        GarnetLocks ending = Create(overSocket: true),
            others = Create(overSocket: false);
        IGarnetLock held = await ending.AcquireAsync("a");
        await ending.DisposeAsync();
        Task<IGarnetLock> next = others.AcquireAsync("a").AsTask();
        await HybridInstances.UntilAsync(() =>
        {
            bool wasHeld = !held.Lost.IsCancellationRequested;
            Assert.False(wasHeld && next.IsCompleted);
            _clock.Advance(TimeSpan.FromMilliseconds(100));
            return !wasHeld;
        });
        await held.DisposeAsync();
        await HybridInstances.UntilAsync(() =>
        {
            _clock.Advance(TimeSpan.FromMilliseconds(100));
            return next.IsCompleted;
        });
        Assert.True((await next).FencingToken > held.FencingToken);
    }

    // Eight callers of each of two instances, of which one is disposed of among their calls: each call ends, with a lock or an exception
    // that says why not, and no two have a lock at once.
    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Calls_end_when_their_locks_are_disposed_of(bool overSocket)
    {
        Random random = new(TestSeed.ChooseAnew(output));
        int rounds = FaultScale.Count(20, 1000);
        for (int round = 0; round < rounds; round++)
        {
            GarnetLocks ending = Create(overSocket),
                others = Create(!overSocket);
            string name = $"round {round}";
            Uses uses = new(random.Next(1, 40));
            Task[] callers =
            [
                .. Enumerable.Range(0, 8).Select(_ => CallAsync(ending, name, random.Next(4), uses)),
                .. Enumerable.Range(0, 8).Select(_ => CallAsync(others, name, random.Next(4), uses)),
            ];
            // Callers that have all failed are reported below.
            await Task.WhenAny(uses.Enough, Task.WhenAll(callers));
            await ending.DisposeAsync();
            uses.IsOver = true;
            // What was lost with a connection runs out.
            await HybridInstances.UntilAsync(() =>
            {
                _clock.Advance(TimeSpan.FromMilliseconds(500));
                return Array.TrueForAll(callers, static caller => caller.IsCompleted);
            });
            await Task.WhenAll(callers);
            await others.DisposeAsync();
            _all.Clear();
        }
    }

    // Until all is over, or its locks are disposed of.
    private static Task CallAsync(GarnetLocks locks, string name, int kind, Uses uses) =>
        Task.Run(async () =>
        {
            while (!uses.IsOver)
            {
                using CancellationTokenSource cancel = new();
                try
                {
                    Task<IGarnetLock?> call = TakeAsync(locks, name, kind, cancel.Token);
                    if (kind == 2)
                        await cancel.CancelAsync();
                    await using IGarnetLock? held = await call;
                    if (held is not null)
                        uses.Use(held);
                }
                catch (OperationCanceledException) when (cancel.IsCancellationRequested)
                {
                    uses.Count();
                }
                catch (Exception e) when (e is ObjectDisposedException or RespConnectionException)
                {
                    return;
                }
            }
        });

    private static async Task<IGarnetLock?> TakeAsync(GarnetLocks locks, string name, int kind, CancellationToken cancel) =>
        kind switch
        {
            0 => await locks.TryAcquireAsync(name, TimeSpan.Zero, CancellationToken.None),
            1 => await locks.TryAcquireAsync(name, TimeSpan.FromSeconds(1), cancel),
            _ => await locks.AcquireAsync(name, cancel),
        };

    private async Task<Task<IGarnetLock>> WaitAsync(GarnetLocks locks, int place, CancellationToken cancel = default)
    {
        Task<IGarnetLock> waiting = locks.AcquireAsync("a", cancel).AsTask();
        await HybridInstances.UntilAsync(() => Waiting() == place);
        return waiting;
    }

    private long Waiting() => _server.Server.InProcess.Execute("ZCARD", "lock-queue:a").Integer;

    private GarnetLocks Create(bool overSocket, LinkTrouble? trouble = null)
    {
        RespMultiplexerOptions connection = new()
        {
            EndPoint = _server.EndPoint,
            ReplyTimeout = TimeSpan.FromMinutes(1),
            RetryDelay = TimeSpan.FromMilliseconds(1),
            StreamFilter = trouble is null ? null : trouble.WrapAsync,
        };
        GarnetLocks locks = new(
            channels => overSocket ? new RespLink(connection, channels) : new InProcessLink(_server.Server.InProcess, channels),
            "",
            Lease,
            _clock
        );
        _all.Add(locks);
        return locks;
    }

    // What the locks protect: a lock that is held now has a larger token than all that were used before.
    private sealed class Uses(int enough)
    {
        private readonly Lock _gate = new();
        private readonly TaskCompletionSource _enough = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private long _largest;
        private int _count;
        private volatile bool _isOver;

        public Task Enough => _enough.Task;

        public bool IsOver
        {
            get => _isOver;
            set => _isOver = value;
        }

        public void Use(IGarnetLock held)
        {
            lock (_gate)
            {
                if (held.IsHeld)
                    Assert.True(held.FencingToken > _largest);
                _largest = Math.Max(_largest, held.FencingToken);
            }

            Count();
        }

        public void Count()
        {
            if (Interlocked.Increment(ref _count) == enough)
                _enough.SetResult();
        }
    }
}
