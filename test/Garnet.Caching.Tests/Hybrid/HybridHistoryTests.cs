// Random histories of eight instances, whose links fail and whose server is flushed, restarted and failed over, checked against the
// guarantee.
using System.Net;
using Garnet.Client;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Caching.Tests.Hybrid;

public sealed class HybridHistoryTests(ITestOutputHelper output) : IAsyncDisposable
{
    private const int Instances = 8;
    private const int WorkersEach = 2;
    private const int InProcess = 3;

    // A busy machine has a shorter history to check, and not a longer wait.
    private static readonly TimeSpan MaxTime = TimeSpan.FromSeconds(8);

    private readonly IPEndPoint _endPoint = new(IPAddress.Loopback, LoopbackPort.Free());
    private GarnetServer? _server;
    private GarnetServer? _replica;
    private int _failovers;

    public enum Faults
    {
        None,
        LinksAndServer,
        Failovers,
        FailoversWithWait,
    }

    public async ValueTask DisposeAsync()
    {
        if (_server is not null)
            await _server.DisposeAsync();
        if (_replica is not null)
            await _replica.DisposeAsync();
    }

    [Theory]
    [InlineData(Faults.None)]
    [InlineData(Faults.LinksAndServer)]
    [InlineData(Faults.Failovers)]
    [InlineData(Faults.FailoversWithWait)]
    public async Task No_call_returns_what_was_removed_before_it_began(Faults faults)
    {
        bool inTrouble = faults != Faults.None,
            failsOver = faults is Faults.Failovers or Faults.FailoversWithWait;
        int seed = TestSeed.ChooseAnew(output);
        _server = await StartServerAsync(_endPoint);
        if (failsOver)
        {
            _replica = await StartServerAsync(new IPEndPoint(IPAddress.Loopback, 0));
            await FollowAsync(_replica, _server);
        }

        CacheHistory history = new();
        LinkTrouble[] troubles =
        [
            .. Enumerable
                .Range(0, Instances)
                .Select(_ => new LinkTrouble { ReplyTimeout = TimeSpan.FromMilliseconds(inTrouble ? 300 : 60_000) }),
        ];
        await using HybridInstances instances = new(TimeProvider.System, () => _endPoint, _server.InProcess);
        Random random = new(seed);
        GarnetHybridCache[] caches =
        [
            .. troubles.Select(
                (trouble, id) =>
                    instances.Create(
                        // The server of the process has no link that could fail, and lives as long as the process.
                        overSocket: inTrouble || id >= InProcess,
                        configure: options =>
                        {
                            options.LocalLease = TimeSpan.FromMilliseconds(100);
                            // Long enough not to run out; or so short that the loads of those who were cut off do not hold up the rest.
                            options.LoaderLease = inTrouble ? TimeSpan.FromMilliseconds(200) : TimeSpan.FromMinutes(1);
                            if (faults == Faults.FailoversWithWait)
                                (options.ReplicasToWaitFor, options.ReplicaTimeout) = (1, TimeSpan.FromMilliseconds(200));
                        },
                        trouble: trouble,
                        clock: new SkewedClock(random.Next())
                    )
            ),
        ];
        int operations = FaultScale.Count(4000, 400_000);
        using CancellationTokenSource over = FaultScale.IsFull ? new() : new(failsOver ? MaxTime / 2 : MaxTime);
        Task[] workers =
        [
            .. Enumerable
                .Range(0, Instances * WorkersEach)
                .Select(id => Task.Run(() => WorkAsync(caches[id % Instances], history, new Random(seed + id), operations, over.Token))),
        ];
        var all = Task.WhenAll(workers);
        while (inTrouble && (!all.IsCompleted || (failsOver && _failovers == 0)))
        {
            LinkTrouble trouble = troubles[random.Next(Instances)];
            if (failsOver && random.Next(20) == 0)
                await FailOverAsync(history, random, isLossy: faults == Faults.Failovers);
            else
                await TroubleAsync(trouble, random, restarts: !failsOver);
            await Task.Delay(random.Next(20));
        }

        foreach (LinkTrouble trouble in troubles)
            trouble.Release();
        await all;
        output.WriteLine($"{history}, {_failovers} failovers");
        if (failsOver)
            Assert.True(_failovers > 0);
        Assert.Empty(history.Offences());
        if (!inTrouble)
            Assert.Equal(1, history.MostLoadsAtOnce);
    }

    private async Task TroubleAsync(LinkTrouble trouble, Random random, bool restarts)
    {
        switch (random.Next(12))
        {
            case 0 or 1:
                trouble.HoldReads();
                break;
            case 2 or 3:
                trouble.HoldWrites();
                break;
            case 4 or 5:
                trouble.Cut();
                break;
            case 6 when random.Next(10) == 0:
                _server!.InProcess.Execute("FLUSHALL");
                break;
            case 7 when restarts && random.Next(20) == 0:
                await _server!.DisposeAsync();
                _server = await StartServerAsync(_endPoint);
                break;
            case 8:
                // Memory pressure, which chooses any key.
                if (_server!.InProcess.Execute("RANDOMKEY") is { IsNull: false } key)
                    await _server.InProcess.ExecuteAsync("DEL", [key.Bytes]);
                break;
            default:
                trouble.Release();
                break;
        }
    }

    // The primary goes on for a while after its replica has lost it, and fails; then the address is that of a server with what the replica
    // had. What was confirmed before the replica lost it is there, and so is all that waited for a replica.
    private async Task FailOverAsync(CacheHistory history, Random random, bool isLossy)
    {
        await SynchronizeAsync();
        long began = history.Now();
        _replica!.InProcess.Execute("REPLICAOF", "NO", "ONE");
        await Task.Delay(random.Next(100));
        await _server!.DisposeAsync();
        _server = await StartServerAsync(_endPoint);
        await FollowAsync(_server, _replica);
        _server.InProcess.Execute("REPLICAOF", "NO", "ONE");
        if (isLossy)
            history.MayLose(began, history.Now());
        await FollowAsync(_replica, _server);
        _failovers++;
    }

    private async Task SynchronizeAsync()
    {
        await using RespMultiplexer client = new(new RespMultiplexerOptions { EndPoint = _endPoint });
        await client.CallAsync("SET", "mark", "1");
        while ((await client.CallAsync("WAIT", "1", "1000")).AsInt64() != 1)
            await Task.Yield();
    }

    private static async Task<GarnetServer> StartServerAsync(IPEndPoint endPoint)
    {
        // A replica gets its copy at once.
        GarnetOptions options = new() { DisklessSyncDelay = TimeSpan.Zero };
        GarnetServer server = new GarnetServerBuilder { Options = options }
            .Listen(endPoint)
            .Build();
        await server.StartAsync();
        return server;
    }

    private static async Task FollowAsync(GarnetServer server, GarnetServer primary)
    {
        server.InProcess.Execute("REPLICAOF", "127.0.0.1", $"{((IPEndPoint)primary.EndPoints[0]).Port}");
        while (server.InProcess.Execute("ROLE").Children[3].Text != "connected")
            await Task.Delay(1);
    }

    private static async Task WorkAsync(
        GarnetHybridCache cache,
        CacheHistory history,
        Random random,
        int operations,
        CancellationToken over
    )
    {
        while (history.Operations < operations && !over.IsCancellationRequested)
        {
            try
            {
                await OperateAsync(cache, history, random);
            }
            catch (Exception e) when (e is RespConnectionException or TimeoutException or GarnetCommandException)
            {
                // The trouble: what was to be removed may be there or not.
                await Task.Delay(1);
            }
        }
    }

    private static async Task OperateAsync(GarnetHybridCache cache, CacheHistory history, Random random)
    {
        int key = random.Next(CacheHistory.Keys);
        string name = CacheHistory.KeyName(key);
        switch (random.Next(100))
        {
            case < 4:
                await history.RemoveAsync([key], () => cache.RemoveAsync(name));
                break;
            case < 14:
                int tag = random.Next(CacheHistory.Tags);
                await history.RemoveAsync(CacheHistory.KeysOf(tag), () => cache.RemoveByTagAsync(CacheHistory.TagName(tag)));
                break;
            case < 15:
                await history.RemoveAsync(Enumerable.Range(0, CacheHistory.Keys), () => cache.RemoveByTagAsync("*"));
                break;
            case < 19:
                await history.SetAsync(key, value => cache.SetAsync(name, value, tags: CacheHistory.TagsOf(key)));
                break;
            case < 24:
                int[] keys = [key, (key + 1) % CacheHistory.Keys];
                long began = history.Now();
                GarnetCacheResult<string>[] many = await cache.TryGetManyAsync<string>([.. keys.Select(CacheHistory.KeyName)]);
                for (int i = 0; i < keys.Length; i++)
                {
                    if (many[i].Found)
                        history.Read(keys[i], many[i].Value!, began);
                }

                break;
            default:
                int delay = random.Next(40);
                long start = history.Now();
                string read = await cache.GetOrCreateAsync(name, _ => history.LoadAsync(key, delay), tags: CacheHistory.TagsOf(key));
                history.Read(key, read, start);
                break;
        }
    }
}
