// Takes locks in a server. Thread-safe.
using System.Collections.Concurrent;
using System.Text;
using Garnet.Caching.Coherence;
using Garnet.Caching.Links;
using Garnet.Client;

namespace Garnet.Caching.Locks;

/// <summary>
/// Those who wait are told by a message when it is their turn, and look again three times in a lease, which also keeps their place.
/// </summary>
internal sealed class GarnetLocks : IGarnetLocks, IAsyncDisposable, IDisposable
{
    private const int LooksPerLease = 3;
    private static readonly byte[] One = "1"u8.ToArray();
    private static readonly byte[] Zero = "0"u8.ToArray();

    private readonly ICacheLink _link;
    private readonly TimeProvider _time;
    private readonly string _prefix;
    private readonly byte[] _channelPrefix;
    private readonly byte[] _leaseMs;
    private readonly string _instance = Guid.NewGuid().ToString("N");
    private readonly ConcurrentDictionary<string, TaskCompletionSource> _waiting = new(StringComparer.Ordinal);
    private long _owners;

    public GarnetLocks(Func<IReadOnlyList<string>, ICacheLink> connect, string instanceName, TimeSpan lease, TimeProvider time)
    {
        (_prefix, Lease, _time) = (instanceName, lease, time);
        _leaseMs = CacheText.Number(CacheText.Milliseconds(lease));
        _channelPrefix = CacheText.Key([], instanceName + "lock-to:");
        _link = connect([instanceName + "lock-to:" + _instance]);
        _link.Received = OnReceived;
    }

    /// <summary>How long a lock lasts without being renewed.</summary>
    public TimeSpan Lease { get; }

    /// <inheritdoc/>
    public async ValueTask<IGarnetLock> AcquireAsync(string name, CancellationToken cancellationToken = default) =>
        (await TakeAsync(name, Timeout.InfiniteTimeSpan, cancellationToken).ConfigureAwait(false))!;

    /// <inheritdoc/>
    public async ValueTask<IGarnetLock?> TryAcquireAsync(string name, TimeSpan wait, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(wait, TimeSpan.Zero);
        return await TakeAsync(name, wait, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void Dispose() => DisposeAsync().AsTask().GetAwaiter().GetResult();

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _link.DisposeAsync();

    /// <summary>Renews a lock; false when it is lost.</summary>
    public async ValueTask<bool> ExtendAsync(string name, string held, CancellationToken cancellationToken)
    {
        RespValue reply = await LockScripts
            .Extend.CallAsync(_link, [Key("lock:", name)], [Encoding.ASCII.GetBytes(held), _leaseMs], cancellationToken)
            .ConfigureAwait(false);
        return reply.AsInt64() == 1;
    }

    /// <summary>Gives a lock back, or a place among those who wait; without a server it runs out.</summary>
    public async ValueTask ReleaseAsync(string name, string owner)
    {
        try
        {
            await LockScripts
                .Release.CallAsync(
                    _link,
                    [Key("lock:", name), Key("lock-queue:", name), Key("lock-alive:", name)],
                    [Encoding.ASCII.GetBytes(owner), _channelPrefix, CacheText.Number(_instance.Length)]
                )
                .ConfigureAwait(false);
        }
        catch (Exception e) when (CacheMembership.IsLoss(e) || e is ObjectDisposedException)
        {
            // Nobody can be told, and the lease ends by itself.
        }
    }

    private async Task<HeldLock?> TakeAsync(string name, TimeSpan wait, CancellationToken cancellationToken)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        cancellationToken.ThrowIfCancellationRequested();
        _link.Subscribe();
        string owner = $"{_instance}{Interlocked.Increment(ref _owners):x}";
        long began = _time.GetTimestamp();
        HeldLock? taken = null;
        // Without a place among those who wait there is nothing to give back, unless a request failed and may have been executed.
        bool leavesTraces = true;
        try
        {
            while (true)
            {
                // Before the lock is asked for, so that a message in between is not missed.
                TaskCompletionSource told = _waiting[owner] = new(TaskCreationOptions.RunContinuationsAsynchronously);
                long sentAt = _time.GetTimestamp();
                (string token, long leftMs) = await AskAsync(name, owner, wait != TimeSpan.Zero, cancellationToken).ConfigureAwait(false);
                // One whose reply took as long as its lease may be over; asking again tells.
                if (token.Length != 0 && _time.GetElapsedTime(sentAt) < Lease)
                    return taken = new HeldLock(this, name, owner, token, sentAt, _time);
                TimeSpan left = wait == Timeout.InfiniteTimeSpan ? TimeSpan.MaxValue : wait - _time.GetElapsedTime(began);
                if (token.Length == 0 && left <= TimeSpan.Zero)
                {
                    leavesTraces = wait != TimeSpan.Zero;
                    return null;
                }

                if (token.Length == 0)
                    await WaitAsync(told.Task, leftMs, left, cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            _waiting.TryRemove(owner, out _);
            if (taken is null && leavesTraces)
                await ReleaseAsync(name, owner).ConfigureAwait(false);
        }
    }

    private async ValueTask<(string Token, long LeftMs)> AskAsync(
        string name,
        string owner,
        bool waits,
        CancellationToken cancellationToken
    )
    {
        RespValue reply = await LockScripts
            .Take.CallAsync(
                _link,
                [Key("lock:", name), Key("lock-queue:", name), Key("lock-alive:", name), Key("lock-token:", name)],
                [Encoding.ASCII.GetBytes(owner), _leaseMs, waits ? One : Zero],
                cancellationToken
            )
            .ConfigureAwait(false);
        return (reply[0].AsString()!, reply[1].AsInt64());
    }

    private async Task WaitAsync(Task told, long leftMs, TimeSpan left, CancellationToken cancellationToken)
    {
        TimeSpan look = Lease / LooksPerLease;
        if (leftMs >= 0 && leftMs < look.TotalMilliseconds)
            look = TimeSpan.FromMilliseconds(leftMs + 1);
        try
        {
            await told.WaitAsync(look < left ? look : left, _time, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // Time to look, and to give a sign of life.
        }
    }

    private byte[] Key(string kind, string name) => Encoding.UTF8.GetBytes(_prefix + kind + name);

    private void OnReceived(ReadOnlyMemory<byte> message)
    {
        if (_waiting.TryGetValue(Encoding.ASCII.GetString(message.Span), out TaskCompletionSource? told))
            told.TrySetResult();
    }
}
