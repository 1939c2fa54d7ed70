// Locks between owners in the process and over sockets. Virtual time.
using Garnet.Caching.Links;
using Garnet.Caching.Locks;
using Garnet.Caching.Tests.Hybrid;
using Garnet.Client;
using Garnet.Testing;
using Microsoft.Extensions.DependencyInjection;
using Xunit;

namespace Garnet.Caching.Tests.Locks;

public sealed class LockTests : IAsyncLifetime
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

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task One_owner_at_a_time_has_a_lock(bool overSocket)
    {
        GarnetLocks locks = Create(overSocket),
            others = Create(!overSocket);
        IGarnetLock first = await locks.AcquireAsync("a");
        Assert.True(first.IsHeld);
        Assert.Equal("a", first.Name);
        Assert.Null(await others.TryAcquireAsync("a", TimeSpan.Zero));
        await using (IGarnetLock another = await others.AcquireAsync("b"))
            Assert.True(another.IsHeld);
        ValueTask<IGarnetLock> next = others.AcquireAsync("a");
        Assert.False(next.IsCompleted);
        await first.DisposeAsync();
        await first.DisposeAsync();
        Assert.False(first.IsHeld);
        await using IGarnetLock second = await next;
        Assert.True(second.FencingToken > first.FencingToken);
        Assert.False(first.Lost.IsCancellationRequested);
        await Assert.ThrowsAsync<ArgumentException>(async () => await locks.AcquireAsync(""));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Those_who_wait_have_their_turn_in_order(bool overSocket)
    {
        GarnetLocks locks = Create(overSocket),
            others = Create(!overSocket);
        IGarnetLock held = await locks.AcquireAsync("a");
        List<Task<IGarnetLock>> waiting = [];
        for (int i = 0; i < 6; i++)
        {
            waiting.Add((i % 2 == 0 ? locks : others).AcquireAsync("a").AsTask());
            await HybridInstances.UntilAsync(() => Waiting("a") == i + 1);
        }

        foreach (Task<IGarnetLock> next in waiting)
        {
            // Nobody overtakes those who wait.
            Assert.Null(await others.TryAcquireAsync("a", TimeSpan.Zero));
            await held.DisposeAsync();
            IGarnetLock taken = await next;
            Assert.True(taken.FencingToken > held.FencingToken);
            held = taken;
        }

        await held.DisposeAsync();
        Assert.Equal(0, _server.Server.InProcess.Execute("EXISTS", "lock:a", "lock-queue:a", "lock-alive:a").Integer);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task One_who_gives_up_leaves_no_place(bool overSocket)
    {
        GarnetLocks locks = Create(overSocket);
        IGarnetLock held = await locks.AcquireAsync("a");
        using CancellationTokenSource cancel = new();
        Task<IGarnetLock> given = locks.AcquireAsync("a", cancel.Token).AsTask();
        Task<IGarnetLock?> timed = locks.TryAcquireAsync("a", TimeSpan.FromSeconds(1)).AsTask();
        await HybridInstances.UntilAsync(() => Waiting("a") == 2);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => given);
        await HybridInstances.UntilAsync(() =>
        {
            _clock.Advance(TimeSpan.FromMilliseconds(100));
            return timed.IsCompleted;
        });
        Assert.Null(await timed);
        Assert.Equal(0, Waiting("a"));
        await held.DisposeAsync();
        Assert.NotNull(await locks.TryAcquireAsync("a", TimeSpan.Zero));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task A_lock_is_renewed_until_it_is_released(bool overSocket)
    {
        GarnetLocks locks = Create(overSocket);
        IGarnetLock held = await locks.AcquireAsync("a");
        for (int i = 0; i < 10; i++)
        {
            _clock.Advance(Lease / 3);
            await HybridInstances.UntilAsync(() =>
                _server.Server.InProcess.Execute("PTTL", "lock:a").Integer == (long)Lease.TotalMilliseconds
            );
            await HybridInstances.UntilAsync(() => held.IsHeld);
        }

        Assert.False(held.Lost.IsCancellationRequested);
        await held.DisposeAsync();
    }

    [Fact]
    public async Task An_owner_learns_that_its_lock_may_be_lost_before_another_can_have_it()
    {
        LinkTrouble trouble = new();
        GarnetLocks cut = Create(overSocket: true, trouble),
            others = Create(overSocket: false);
        IGarnetLock held = await cut.AcquireAsync("a");
        Task<IGarnetLock> next = others.AcquireAsync("a").AsTask();
        trouble.HoldReads();
        bool wasHeld = true;
        await HybridInstances.UntilAsync(() =>
        {
            wasHeld = !held.Lost.IsCancellationRequested;
            Assert.False(wasHeld && next.IsCompleted);
            _clock.Advance(TimeSpan.FromMilliseconds(100));
            return held.Lost.IsCancellationRequested;
        });
        Assert.False(held.IsHeld);
        trouble.HoldWrites();
        await HybridInstances.UntilAsync(() =>
        {
            _clock.Advance(TimeSpan.FromMilliseconds(100));
            return next.IsCompleted;
        });
        Assert.True((await next).FencingToken > held.FencingToken);
        trouble.Release();
        await held.DisposeAsync();
        Assert.True((await next).IsHeld);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task A_free_lock_takes_no_script_and_its_tokens_grow(bool overSocket)
    {
        GarnetLocks locks = Create(overSocket);
        IGarnet server = _server.Server.InProcess;
        long last = 0;
        for (int i = 0; i < 3; i++)
            await TakeAsync();
        Assert.InRange(server.Execute("PTTL", "lock-token:a").Integer, 1, LockScripts.TokenLifeMs);
        // Forgotten, evicted or counted from nothing by those who did not get the lock: the time has gone on faster.
        foreach (
            string[] loss in (string[][])
                [
                    ["DEL", "lock-token:a"],
                    ["SET", "lock-token:a", "5"],
                ]
        )
        {
            _clock.Advance(TimeSpan.FromMilliseconds(1));
            server.Execute(loss[0], loss[1..]);
            await TakeAsync();
            await TakeAsync();
        }

        Assert.DoesNotContain("evalsha", server.Execute("INFO", "commandstats").AsString(), StringComparison.Ordinal);

        async Task TakeAsync()
        {
            await using IGarnetLock held = await locks.AcquireAsync("a");
            Assert.True(held.FencingToken > last);
            last = held.FencingToken;
        }
    }

    // It is the turn of the one that waits, and who comes by gives back what it found, and tells so.
    [Theory]
    [MemberData(nameof(Transports))]
    public async Task A_free_lock_is_not_taken_from_those_who_wait(bool overSocket)
    {
        GarnetLocks locks = Create(overSocket),
            others = Create(!overSocket);
        IGarnetLock lost = await locks.AcquireAsync("a");
        Task<IGarnetLock> next = locks.AcquireAsync("a").AsTask();
        await HybridInstances.UntilAsync(() => Waiting("a") == 1);
        _server.Server.InProcess.Execute("DEL", "lock:a");
        Assert.Null(await others.TryAcquireAsync("a", TimeSpan.Zero));
        Assert.True((await next).FencingToken > lost.FencingToken);
        await lost.DisposeAsync();
        Assert.True((await next).IsHeld);
        Assert.True(Exists("lock:a"));
    }

    // The name's first token is asked for after the lock was taken; meanwhile that has run out, and another owner has it.
    [Fact]
    public async Task A_token_that_was_asked_for_too_late_is_not_used()
    {
        LinkTrouble trouble = new();
        GarnetLocks slow = Create(overSocket: true, trouble),
            others = Create(overSocket: false);
        await (await slow.AcquireAsync("warm")).DisposeAsync();
        trouble.HoldReads();
        Task<IGarnetLock> late = slow.AcquireAsync("a").AsTask();
        await HybridInstances.UntilAsync(() => Exists("lock:a"));
        _clock.Advance(Lease + TimeSpan.FromMilliseconds(1));
        IGarnetLock held = await others.AcquireAsync("a");
        trouble.Release();
        await HybridInstances.UntilAsync(() => Waiting("a") == 1);
        Assert.False(late.IsCompleted);
        Assert.True(held.IsHeld);
        await held.DisposeAsync();
        Assert.True((await late).FencingToken > held.FencingToken);
    }

    [Fact]
    public async Task A_server_without_the_command_for_it_takes_locks_back_all_the_same()
    {
        using var server = TestServer.Start();
        server.Server.InProcess.Execute("ACL", "SETUSER", "default", "-delifeq");
        await using GarnetLocks locks = Link(server, null);
        for (int i = 0; i < 2; i++)
        {
            IGarnetLock held = await locks.AcquireAsync("a");
            await held.DisposeAsync();
            Assert.Equal(0, server.Server.InProcess.Execute("EXISTS", "lock:a").Integer);
        }

        Assert.Equal(1, server.Server.InProcess.Execute("INFO", "errorstats").AsString()!.Split("NOPERM:count=1").Length - 1);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task A_flush_loses_locks_and_tokens_go_on(bool overSocket)
    {
        GarnetLocks locks = Create(overSocket);
        IGarnetLock held = await locks.AcquireAsync("a");
        _server.Server.InProcess.Execute("FLUSHALL");
        _clock.Advance(Lease / 3);
        await HybridInstances.UntilAsync(() => held.Lost.IsCancellationRequested);
        IGarnetLock? next = await locks.TryAcquireAsync("a", TimeSpan.Zero);
        Assert.True(next!.FencingToken > held.FencingToken);
        await held.DisposeAsync();
        Assert.True(next.IsHeld);
    }

    // Owners that die, in front of others who wait: their places and locks run out.
    [Fact]
    public async Task Owners_that_died_hold_nobody_up()
    {
        LinkTrouble trouble = new();
        GarnetLocks dead = Create(overSocket: true, trouble),
            alive = Create(overSocket: false);
        await dead.AcquireAsync("a");
        Task<IGarnetLock> neverServed = dead.AcquireAsync("a").AsTask();
        await HybridInstances.UntilAsync(() => Waiting("a") == 1);
        Task<IGarnetLock> next = alive.AcquireAsync("a").AsTask();
        await HybridInstances.UntilAsync(() => Waiting("a") == 2);
        trouble.HoldWrites();
        await HybridInstances.UntilAsync(() =>
        {
            _clock.Advance(TimeSpan.FromMilliseconds(100));
            return next.IsCompleted;
        });
        Assert.False(neverServed.IsCompleted);
        trouble.IsRefused = true;
        trouble.Cut();
        await Assert.ThrowsAsync<RespConnectionException>(() => neverServed);
    }

    // The server has taken the lock, and its answer is lost: nobody has it.
    [Fact]
    public async Task A_lock_whose_answer_is_lost_is_given_back()
    {
        LinkTrouble trouble = new();
        GarnetLocks locks = Create(overSocket: true, trouble);
        await (await locks.AcquireAsync("warm")).DisposeAsync();
        trouble.HoldReads();
        Task<IGarnetLock?> taking = locks.TryAcquireAsync("a", TimeSpan.Zero).AsTask();
        await HybridInstances.UntilAsync(() => Exists("lock:a"));
        trouble.Cut();
        await Assert.ThrowsAsync<RespConnectionException>(() => taking);
        Assert.False(Exists("lock:a"));
    }

    // What waits for the renewal, on the thread that tells of the loss, and what throws there.
    [Fact]
    public async Task An_owner_may_dispose_of_its_lock_when_it_learns_of_the_loss()
    {
        GarnetLocks locks = Create(overSocket: false);
        IGarnetLock held = await locks.AcquireAsync("a");
        TaskCompletionSource disposed = new(TaskCreationOptions.RunContinuationsAsynchronously);
        using CancellationTokenRegistration registration = held.Lost.Register(() =>
        {
            held.DisposeAsync().AsTask().Wait();
            disposed.SetResult();
            throw new InvalidOperationException("An owner's mistake.");
        });
        _server.Server.InProcess.Execute("FLUSHALL");
        _clock.Advance(Lease / 3);
        await disposed.Task;
        Assert.False(held.IsHeld);
    }

    // A renewal that is under way does not hold up the release.
    [Fact]
    public async Task A_lock_is_released_while_it_is_being_renewed()
    {
        LinkTrouble trouble = new();
        GarnetLocks locks = Create(overSocket: true, trouble);
        IGarnetLock held = await locks.AcquireAsync("a");
        await RenewAsync();
        // The server has both scripts now.
        await (await locks.AcquireAsync("b")).DisposeAsync();
        trouble.HoldReads();
        await RenewAsync();
        Task release = held.DisposeAsync().AsTask();
        await HybridInstances.UntilAsync(() => !Exists("lock:a"));
        Assert.False(release.IsCompleted);
        trouble.Release();
        await release;

        Task RenewAsync()
        {
            _clock.Advance(Lease / 3);
            return HybridInstances.UntilAsync(() =>
                _server.Server.InProcess.Execute("PTTL", "lock:a").Integer == (long)Lease.TotalMilliseconds
            );
        }
    }

    [Fact]
    public async Task Locks_are_services_also_by_key()
    {
        ServiceCollection services = [];
        services.AddGarnetLocks(options => options.EndPoint = _server.EndPoint);
        services.AddKeyedGarnetLocks(
            "jobs",
            options =>
            {
                options.EndPoint = _server.EndPoint;
                options.InstanceName = "jobs:";
            }
        );
        await using ServiceProvider provider = services.BuildServiceProvider();
        await using IGarnetLock one = await provider.GetRequiredService<IGarnetLocks>().AcquireAsync("a");
        await using IGarnetLock two = await provider.GetRequiredKeyedService<IGarnetLocks>("jobs").AcquireAsync("a");
        Assert.Equal(1, _server.Server.InProcess.Execute("EXISTS", "jobs:lock:a").Integer);
    }

    private bool Exists(string key) => _server.Server.InProcess.Execute("EXISTS", key).Integer == 1;

    private long Waiting(string name) => _server.Server.InProcess.Execute("ZCARD", "lock-queue:" + name).Integer;

    private GarnetLocks Create(bool overSocket, LinkTrouble? trouble = null)
    {
        GarnetLocks locks = overSocket
            ? Link(_server, trouble)
            : new GarnetLocks(channels => new InProcessLink(_server.Server.InProcess, channels), "", Lease, _clock);
        _all.Add(locks);
        return locks;
    }

    private GarnetLocks Link(TestServer server, LinkTrouble? trouble) =>
        new(
            channels => new RespLink(
                new RespMultiplexerOptions
                {
                    EndPoint = server.EndPoint,
                    ReplyTimeout = trouble?.ReplyTimeout ?? TimeSpan.FromMinutes(1),
                    RetryDelay = TimeSpan.FromMilliseconds(1),
                    StreamFilter = trouble is null ? null : trouble.WrapAsync,
                },
                channels
            ),
            "",
            Lease,
            server == _server ? _clock : TimeProvider.System
        );
}
