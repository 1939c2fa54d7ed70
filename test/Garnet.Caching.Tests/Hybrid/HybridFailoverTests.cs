// What a removal is worth when the primary fails. Real time, without timed assertions.
using Garnet.Client;
using Garnet.Testing;
using Xunit;

namespace Garnet.Caching.Tests.Hybrid;

public sealed class HybridFailoverTests : IDisposable
{
    private static readonly string[] Tagged = ["t"];

    private readonly TestServer _primary = TestServer.Start();
    private readonly TestServer _replica = TestServer.Start();

    public void Dispose()
    {
        _primary.Dispose();
        _replica.Dispose();
    }

    [Fact]
    public async Task A_removal_that_waited_for_a_replica_survives_a_failover()
    {
        await FollowAsync();
        await using HybridInstances before = new(TimeProvider.System, () => _primary.EndPoint, null),
            after = new(TimeProvider.System, () => _replica.EndPoint, null);
        GarnetHybridCache cache = before.Create(configure: static options =>
        {
            options.ReplicasToWaitFor = 1;
            options.ReplicaTimeout = TimeSpan.FromMinutes(1);
        });
        Assert.Equal("old", await cache.GetOrCreateAsync("k", static _ => ValueTask.FromResult("old"), tags: Tagged));
        await cache.RemoveByTagAsync("t");
        await _primary.Server.StopAsync(CancellationToken.None);
        _replica.Server.InProcess.Execute("REPLICAOF", "NO", "ONE");
        // The entry is there, and its tag's token is not the one that it was stored with.
        Assert.Equal(1, _replica.Server.InProcess.Execute("EXISTS", "h:entry:k").Integer);
        Assert.Equal("new", await after.Create().GetOrCreateAsync("k", static _ => ValueTask.FromResult("new"), tags: Tagged));
    }

    [Fact]
    public async Task A_removal_that_no_replica_has_is_told_to_the_caller_and_waited_for_again_when_one_has()
    {
        await using HybridInstances instances = new(TimeProvider.System, () => _primary.EndPoint, null);
        var timeout = TimeSpan.FromMilliseconds(50);
        GarnetHybridCache cache = instances.Create(configure: options =>
            (options.ReplicasToWaitFor, options.ReplicaTimeout) = (1, timeout)
        );
        await Assert.ThrowsAsync<TimeoutException>(async () => await cache.RemoveByTagAsync("t"));
        await FollowAsync();
        bool isConfirmed = false;
        while (!isConfirmed)
        {
            try
            {
                await cache.RemoveByTagAsync("t");
                isConfirmed = true;
            }
            catch (TimeoutException)
            {
                // A busy replica has not said yet what it has.
            }
        }

        Assert.Equal(_primary.Server.InProcess.Get("h:tag:t"), _replica.Server.InProcess.Get("h:tag:t"));
    }

    private async Task FollowAsync()
    {
        _replica.Server.InProcess.Execute("REPLICAOF", "127.0.0.1", $"{_primary.EndPoint.Port}");
        await using RespMultiplexer client = new(new RespMultiplexerOptions { EndPoint = _primary.EndPoint });
        while ((await client.CallAsync("WAIT", "1", "1000")).AsInt64() != 1)
            await Task.Yield();
    }
}
