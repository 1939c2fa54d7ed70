// That removals reach every instance before they return, with links that fail. Virtual time.
using Garnet.Client;
using Garnet.Testing;
using Xunit;

namespace Garnet.Caching.Tests.Hybrid;

public sealed class HybridCacheCoherenceTests : IAsyncLifetime
{
    private static readonly string[] Tagged = ["t"];
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(10);

    private readonly ManualTimeProvider _clock = new();
    private readonly TestServer _server;
    private readonly HybridInstances _instances;
    private int _loads;

    public HybridCacheCoherenceTests()
    {
        _server = TestServer.Start(time: _clock);
        _instances = new HybridInstances(_clock, () => _server.EndPoint, _server.Server.InProcess);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync()
    {
        await _instances.DisposeAsync();
        _server.Dispose();
    }

    // Time stands still, so it is acknowledgements that end the wait.
    [Fact]
    public async Task A_removal_returns_when_all_have_acknowledged_it()
    {
        GarnetHybridCache[] all = await StartAsync(4);
        foreach (GarnetHybridCache cache in all)
            Assert.Equal("v1", await ReadAsync(cache));
        await all[0].RemoveByTagAsync("t");
        foreach (GarnetHybridCache cache in all)
            Assert.Equal("v2", await ReadAsync(cache));
        await all[3].RemoveAsync("k");
        foreach (GarnetHybridCache cache in all)
            Assert.Equal("v3", await ReadAsync(cache));
        await all[2].RemoveByTagAsync("*");
        foreach (GarnetHybridCache cache in all)
            Assert.Equal("v4", await ReadAsync(cache));
        await all[1].SetAsync("k", "set", tags: Tagged);
        foreach (GarnetHybridCache cache in all)
            Assert.Equal("set", await ReadAsync(cache));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task An_instance_that_hears_nothing_is_waited_for_until_its_lease_is_over(bool holdsReads)
    {
        LinkTrouble trouble = new();
        GarnetHybridCache deaf = _instances.Create(trouble: trouble);
        GarnetHybridCache[] others = await StartAsync(2, deaf);
        Assert.Equal("v1", await ReadAsync(deaf));
        Assert.Equal("v1", await ReadAsync(others[0]));
        if (holdsReads)
            trouble.HoldReads();
        else
            trouble.HoldWrites();
        Assert.True(await PassAsync(others[0].RemoveByTagAsync("t")) >= HybridInstances.Lease);
        Assert.False(deaf.Parts.Local.Find("k")!.IsValid(_clock.GetTimestamp()));
        Assert.Equal("v2", await ReadAsync(others[0]));
        // Found marked and waited for once more, it is not waited for again.
        await HybridInstances.AdvanceAsync(_clock, HybridInstances.Lease, others);
        Assert.True(await PassAsync(others[1].RemoveByTagAsync("t")) >= HybridInstances.Lease);
        await HybridInstances.AdvanceAsync(_clock, HybridInstances.Lease, others);
        await others[1].RemoveByTagAsync("t");
        string? former = deaf.Parts.Membership.Session?.Member;
        trouble.Release();
        await HybridInstances.UntilAsync(() =>
        {
            _clock.Advance(Step);
            return deaf.Parts.Membership.Session is { } session && session.Member != former;
        });
        await HybridInstances.AdvanceAsync(_clock, HybridInstances.Lease, [.. others, deaf]);
        Assert.Equal("v3", await ReadAsync(deaf));
        Assert.Equal("v3", await ReadAsync(others[0]));
    }

    [Fact]
    public async Task Without_a_link_nothing_is_served_from_memory()
    {
        LinkTrouble trouble = new();
        GarnetHybridCache cache = _instances.Create(trouble: trouble);
        await StartAsync(1, cache);
        Assert.Equal("v1", await ReadAsync(cache));
        Assert.Equal("v1", await ReadAsync(cache));
        trouble.IsRefused = true;
        trouble.Cut();
        await HybridInstances.UntilAsync(() => cache.Parts.Membership.Session is null);
        Assert.Equal("v2", await ReadAsync(cache));
        Assert.Equal("v3", await ReadAsync(cache));
        await Assert.ThrowsAsync<RespConnectionException>(async () => await cache.RemoveByTagAsync("t"));
        await Assert.ThrowsAsync<RespConnectionException>(async () => await cache.SetAsync("k", "set"));
        Assert.False((await cache.TryGetAsync<string>("k")).Found);
        Assert.False((await cache.TryGetManyAsync<string>(["k"]))[0].Found);
        trouble.IsRefused = false;
        await HybridInstances.UntilAsync(() =>
        {
            _clock.Advance(Step);
            return cache.Parts.Membership.Session is not null;
        });
        Assert.Equal("v1", await ReadAsync(cache));
    }

    [Fact]
    public async Task A_load_that_began_before_a_removal_is_not_served_after_it()
    {
        GarnetHybridCache[] all = await StartAsync(2);
        foreach (Func<Task> remove in (Func<Task>[])[() => all[1].RemoveByTagAsync("t").AsTask(), () => all[1].RemoveAsync("k").AsTask()])
        {
            TaskCompletionSource begun = new(),
                gate = new();
            Task<string> old = all[0]
                .GetOrCreateAsync(
                    "k",
                    async _ =>
                    {
                        begun.SetResult();
                        await gate.Task;
                        return "old";
                    },
                    tags: Tagged
                )
                .AsTask();
            await begun.Task;
            await remove();
            Task<string>[] late = [.. all.Select(cache => ReadAsync(cache).AsTask())];
            await HybridInstances.UntilAsync(() => all[0].Parts.Metrics is not null && late.All(static read => !read.IsCompleted));
            gate.SetResult();
            Assert.Equal("old", await old);
            string[] read = await Task.WhenAll(late);
            Assert.All(read, static value => Assert.StartsWith("v", value, StringComparison.Ordinal));
            Assert.Equal(read[0], read[1]);
            await all[0].RemoveAsync("k");
        }

        Assert.Equal(2, _loads);
    }

    // The removal finds the answer on its way, in the process and over a connection.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task What_is_removed_while_it_is_read_is_not_kept(bool overSocket)
    {
        HeldReadLink link = null!;
        GarnetHybridCache reader = _instances.Create(overSocket, wrap: inner => link = new HeldReadLink(inner));
        GarnetHybridCache remover = (await StartAsync(1, reader))[0];
        // The reader knows the tag from here on, so that the server is asked for the entry alone.
        Assert.Equal("v1", await ReadAsync(reader));
        foreach (Func<Task> remove in (Func<Task>[])[() => remover.RemoveAsync("k").AsTask(), () => remover.RemoveByTagAsync("t").AsTask()])
        {
            await remover.SetAsync("k", "old", tags: Tagged);
            TaskCompletionSource held = link.HoldNext();
            ValueTask<string> reading = ReadAsync(reader);
            Assert.False(reading.IsCompleted);
            await remove();
            held.SetResult();
            // Its call began before the removal, unless it has noticed that; those that follow did not.
            string read = await reading;
            Assert.True(read == "old" || read[0] == 'v');
            Assert.StartsWith("v", await ReadAsync(reader), StringComparison.Ordinal);
        }

        // And without a removal it is kept.
        await remover.SetAsync("k", "new", tags: Tagged);
        Assert.Equal("new", await ReadAsync(reader));
        _server.Server.InProcess.Execute("DEL", "h:entry:k");
        Assert.Equal("new", await ReadAsync(reader));
    }

    [Fact]
    public async Task After_a_flush_a_removal_waits_for_instances_that_nobody_knows()
    {
        GarnetHybridCache[] all = await StartAsync(2);
        Assert.Equal("v1", await ReadAsync(all[1]));
        _server.Server.InProcess.Execute("FLUSHALL");
        Assert.True(await PassAsync(all[0].RemoveByTagAsync("t")) >= HybridInstances.Lease);
        await HybridInstances.AdvanceAsync(_clock, HybridInstances.Lease, all);
        Assert.Equal("v2", await ReadAsync(all[1]));
        // Both have registered again.
        Assert.Equal(3, _server.Server.InProcess.Execute("HLEN", "h:members").Integer);
    }

    [Fact]
    public async Task A_tag_whose_token_was_lost_makes_entries_invalid_and_never_revives_one()
    {
        GarnetHybridCache[] all = await StartAsync(2);
        Assert.Equal("v1", await ReadAsync(all[0]));
        byte[] entry = _server.Server.InProcess.Get("h:entry:k")!;
        await all[0].RemoveByTagAsync("t");
        _server.Server.InProcess.Execute("DEL", "h:tag:t");
        _server.Server.InProcess.Set("h:entry:k", entry);
        Assert.Equal("v2", await ReadAsync(all[1]));
        // One instance knows a token that the server has lost, others agree on another, and then all do.
        _server.Server.InProcess.Execute("DEL", "h:tag:t", "h:entry:k");
        GarnetHybridCache late = _instances.Create();
        Assert.Equal("v3", await ReadAsync(late));
        all[1].Parts.Local.Remove("k");
        Assert.Equal("v3", await ReadAsync(all[1]));
    }

    [Fact]
    public async Task A_lost_message_ends_the_session()
    {
        GarnetHybridCache[] all = await StartAsync(1);
        Assert.Equal("v1", await ReadAsync(all[0]));
        Assert.Equal("v1", await ReadAsync(all[0]));
        string session = all[0].Parts.Membership.Session!.Member;
        // What another instance removed, without its message.
        _server.Server.InProcess.Execute("HINCRBY", "h:members", "seq", "1");
        _server.Server.InProcess.Execute("SET", "h:tag:t", "sixteen bytes...");
        await HybridInstances.UntilAsync(() =>
        {
            _clock.Advance(Step);
            return all[0].Parts.Membership.Session is { } now && now.Member != session;
        });
        Assert.Equal("v2", await ReadAsync(all[0]));
    }

    [Fact]
    public async Task An_instance_that_leaves_is_not_waited_for()
    {
        GarnetHybridCache[] all = await StartAsync(3);
        await all[2].DisposeAsync();
        _instances.Forget(all[2]);
        await all[0].RemoveByTagAsync("t");
        Assert.Equal(3, _server.Server.InProcess.Execute("HLEN", "h:members").Integer);
    }

    [Fact]
    public async Task Foreign_messages_on_the_channel_do_no_harm()
    {
        GarnetHybridCache[] all = await StartAsync(2);
        Assert.Equal("v1", await ReadAsync(all[0]));
        foreach (
            string message in (string[])
                ["", "x", "1", "1 ", "1 " + new string('\xff', 40), "99999999999999999999 x", "A", "A12345678member", "Lk"]
        )
        {
            _server.Server.InProcess.Execute("PUBLISH", "h:changes", message);
            foreach (GarnetHybridCache cache in all)
                _server.Server.InProcess.Execute("PUBLISH", "h:to:" + cache.Parts.Coherence.Names.Instance, message);
        }

        Assert.Equal("v1", await ReadAsync(all[0]));
        await all[0].RemoveByTagAsync("t");
        Assert.Equal("v2", await ReadAsync(all[1]));
    }

    [Fact]
    public async Task Too_few_replicas_are_told_to_the_caller()
    {
        GarnetHybridCache cache = _instances.Create(configure: static options =>
        {
            options.ReplicasToWaitFor = 1;
            options.ReplicaTimeout = TimeSpan.FromMilliseconds(100);
        });
        await StartAsync(1, cache);
        Assert.Equal("v1", await ReadAsync(cache));
        Task removal = cache.RemoveByTagAsync("t").AsTask();
        await HybridInstances.UntilAsync(() =>
        {
            _clock.Advance(Step);
            return removal.IsCompleted;
        });
        await Assert.ThrowsAsync<TimeoutException>(() => removal);
        await HybridInstances.AdvanceAsync(_clock, HybridInstances.Lease, cache);
        Assert.Equal("v2", await ReadAsync(cache));
    }

    [Fact]
    public async Task Callers_of_a_cache_that_is_disposed_meanwhile_get_their_values()
    {
        GarnetHybridCache[] all = await StartAsync(2);
        foreach (GarnetHybridCache cache in all)
        {
            TaskCompletionSource begun = new(),
                gate = new();
            Task<string> load = cache
                .GetOrCreateAsync(
                    "loading",
                    async _ =>
                    {
                        begun.SetResult();
                        await gate.Task;
                        return "value";
                    }
                )
                .AsTask();
            await begun.Task;
            await cache.DisposeAsync();
            gate.SetResult();
            Assert.Equal("value", await load);
            if (cache == all[0])
                await Assert.ThrowsAsync<ObjectDisposedException>(async () => await cache.RemoveAsync("k"));
            await cache.DisposeAsync();
            _server.Server.InProcess.Execute("DEL", "h:load:loading");
        }
    }

    // Lets time pass until a change has returned; how much it was.
    private async Task<TimeSpan> PassAsync(ValueTask change)
    {
        Task task = change.AsTask();
        TimeSpan passed = TimeSpan.Zero;
        await HybridInstances.UntilAsync(() =>
        {
            if (task.IsCompleted)
                return true;
            _clock.Advance(Step);
            passed += Step;
            return false;
        });
        await task;
        return passed;
    }

    // Half in the process and half over sockets; for long enough that each knows all members.
    private async Task<GarnetHybridCache[]> StartAsync(int count, params GarnetHybridCache[] more)
    {
        GarnetHybridCache[] all = [.. Enumerable.Range(0, count).Select(i => _instances.Create(overSocket: i % 2 == 0))];
        await HybridInstances.AdvanceAsync(_clock, HybridInstances.Lease, [.. all, .. more]);
        return all;
    }

    private ValueTask<string> ReadAsync(GarnetHybridCache cache) =>
        cache.GetOrCreateAsync("k", _ => ValueTask.FromResult($"v{Interlocked.Increment(ref _loads)}"), tags: Tagged);
}
