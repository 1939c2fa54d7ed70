// DistributedLock.Redis: locks, semaphores and reader-writer locks between two connections. Each test has a server of its own.
using Medallion.Threading.Redis;
using StackExchange.Redis;
using Xunit;

namespace Garnet.DotNetClients.Tests;

public sealed class DistributedLockTests
{
    [Fact]
    public async Task A_lock_is_exclusive_and_renewed_while_it_is_held()
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync();
        await using ConnectionMultiplexer other = await ConnectionMultiplexer.ConnectAsync(redis.Multiplexer.Configuration);
        var mine = new RedisDistributedLock("resource", redis.Database, Quickly);
        var theirs = new RedisDistributedLock("resource", other.GetDatabase(), Quickly);
        RedisDistributedLockHandle handle = (await mine.TryAcquireAsync())!;
        RedisKey key = mine.Key;
        Assert.Null(await theirs.TryAcquireAsync());
        // The library's script, called every 100 ms, gives the key an expiry again.
        Assert.True(await redis.Database.KeyPersistAsync(key));
        for (int i = 0; await redis.Database.KeyTimeToLiveAsync(key) is null; i++)
        {
            Assert.True(i < 3000, "the lock was never extended");
            await Task.Delay(10);
        }

        Assert.False(handle.HandleLostToken.IsCancellationRequested);
        Task<RedisDistributedLockHandle> waiting = theirs.AcquireAsync(TimeSpan.FromSeconds(30)).AsTask();
        await handle.DisposeAsync();
        await using (await waiting)
            Assert.Null(await mine.TryAcquireAsync());
        Assert.False(await redis.Database.KeyExistsAsync(key));
    }

    [Fact]
    public async Task A_lock_that_another_client_removed_is_reported_as_lost()
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync();
        var mine = new RedisDistributedLock("resource", redis.Database, Quickly);
        await using RedisDistributedLockHandle handle = await mine.AcquireAsync();
        var lost = new TaskCompletionSource();
        using (handle.HandleLostToken.Register(lost.SetResult))
        {
            await redis.Database.KeyDeleteAsync(mine.Key);
            await lost.Task.WaitAsync(TimeSpan.FromMinutes(2));
        }
    }

    [Fact]
    public async Task Semaphores_let_as_many_in_as_they_have_places()
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync();
        var semaphore = new RedisDistributedSemaphore("pool", 2, redis.Database, Quickly);
        RedisDistributedSemaphoreHandle first = (await semaphore.TryAcquireAsync())!;
        await using RedisDistributedSemaphoreHandle second = (await semaphore.TryAcquireAsync())!;
        Assert.Null(await semaphore.TryAcquireAsync());
        await first.DisposeAsync();
        await using RedisDistributedSemaphoreHandle? third = await semaphore.TryAcquireAsync();
        Assert.NotNull(third);
    }

    [Fact]
    public async Task Readers_share_and_a_writer_is_alone()
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync();
        var table = new RedisDistributedReaderWriterLock("table", redis.Database, Quickly);
        RedisDistributedReaderWriterLockHandle first = (await table.TryAcquireReadLockAsync())!;
        RedisDistributedReaderWriterLockHandle second = (await table.TryAcquireReadLockAsync())!;
        Assert.Null(await table.TryAcquireWriteLockAsync());
        await first.DisposeAsync();
        await second.DisposeAsync();
        await using (await table.AcquireWriteLockAsync(TimeSpan.FromSeconds(30)))
            Assert.Null(await table.TryAcquireReadLockAsync());
        await using RedisDistributedReaderWriterLockHandle? last = await table.TryAcquireReadLockAsync();
        Assert.NotNull(last);
    }

    private static void Quickly(RedisDistributedSynchronizationOptionsBuilder options) =>
        options
            .Expiry(TimeSpan.FromSeconds(10))
            .ExtensionCadence(TimeSpan.FromMilliseconds(100))
            .BusyWaitSleepTime(TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(5));
}
