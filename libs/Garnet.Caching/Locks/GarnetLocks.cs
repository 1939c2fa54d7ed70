// Takes locks in a server. Thread-safe.
using System.Collections.Concurrent;
using System.Text;
using Garnet.Caching.Coherence;
using Garnet.Caching.Links;

namespace Garnet.Caching.Locks;

/// <summary>
/// Those who wait are told by a message when it is their turn, and look again three times in a lease, which also keeps their place.
/// </summary>
internal sealed class GarnetLocks : IGarnetLocks, IAsyncDisposable, IDisposable
{
    private const int LooksPerLease = 3;

    private readonly ICacheLink _link;
    private readonly TimeProvider _time;
    private readonly LockCommands _commands;
    private readonly string _instance = Guid.NewGuid().ToString("N");
    private readonly ConcurrentDictionary<string, WaitingOwner> _waiting = new(StringComparer.Ordinal);
    private readonly CancellationTokenSource _closing = new();
    private long _owners;

    public GarnetLocks(Func<IReadOnlyList<string>, ICacheLink> connect, string instanceName, TimeSpan lease, TimeProvider time)
    {
        (Lease, _time) = (lease, time);
        _link = connect([LockCommands.Channel(instanceName, _instance)]);
        _link.Received = OnReceived;
        _commands = new LockCommands(_link, instanceName, _instance, lease);
    }

    /// <summary>How long a lock lasts without being renewed.</summary>
    public TimeSpan Lease { get; }

    /// <summary>For how long an owner relies on it: what is left of the lease covers clocks that run at different speeds.</summary>
    public TimeSpan SafeLease => Lease * 0.9;

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

    /// <summary>Those who wait get an exception; their places are given back first, so that they do not hold up other instances.</summary>
    public async ValueTask DisposeAsync()
    {
        await _closing.CancelAsync().ConfigureAwait(false);
        await Task.WhenAll(_waiting.Values.Select(static owner => owner.Left)).ConfigureAwait(false);
        await _link.DisposeAsync().ConfigureAwait(false);
    }

    /// <inheritdoc cref="LockCommands.ExtendAsync"/>
    public ValueTask<bool> ExtendAsync(string name, LockAnswer taken, CancellationToken cancellationToken) =>
        _commands.ExtendAsync(name, taken, cancellationToken);

    /// <summary>Gives a lock back; without a server it runs out.</summary>
    public Task ReleaseAsync(string name, LockAnswer taken) => IgnoreLossAsync(_commands.ReleaseAsync(name, taken));

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
            LockAnswer answer = await _commands.TakeFreeAsync(name, owner, cancellationToken).ConfigureAwait(false);
            if (answer is { IsTaken: true, IsContended: false } && _time.GetElapsedTime(began) < SafeLease)
                return taken = new HeldLock(this, name, answer, began, _time);
            if (answer is { IsTaken: true, IsContended: true })
                await _commands.LeaveAsync(name, owner).ConfigureAwait(false);
            if (answer.IsTaken || wait != TimeSpan.Zero)
                taken = await QueueAsync(name, owner, wait, began, cancellationToken).ConfigureAwait(false);
            leavesTraces = wait != TimeSpan.Zero;
            return taken;
        }
        finally
        {
            if (taken is null && leavesTraces)
                await IgnoreLossAsync(_commands.LeaveAsync(name, owner)).ConfigureAwait(false);
            if (_waiting.TryRemove(owner, out WaitingOwner? waited))
                waited.Leave();
        }
    }

    // Disposal ends it; what was begun after the look at those who wait ends at once.
    private async Task<HeldLock?> QueueAsync(string name, string owner, TimeSpan wait, long began, CancellationToken cancellationToken)
    {
        WaitingOwner self = _waiting[owner] = new();
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _closing.Token);
        try
        {
            return await AskAsync(name, owner, self, wait, began, either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (either.IsCancellationRequested)
        {
            cancellationToken.ThrowIfCancellationRequested();
            throw new ObjectDisposedException(nameof(IGarnetLocks));
        }
    }

    // Asks until it is this owner's turn, or the time to wait is over.
    private async Task<HeldLock?> AskAsync(
        string name,
        string owner,
        WaitingOwner self,
        TimeSpan wait,
        long began,
        CancellationToken cancellationToken
    )
    {
        while (true)
        {
            // Before the lock is asked for, so that a message in between is not missed.
            Task told = self.Listen();
            long sentAt = _time.GetTimestamp();
            LockAnswer answer = await _commands.AskAsync(name, owner, wait != TimeSpan.Zero, cancellationToken).ConfigureAwait(false);
            // One whose reply took as long as its lease may be over; asking again tells.
            if (answer.IsTaken && _time.GetElapsedTime(sentAt) < SafeLease)
                return new HeldLock(this, name, answer, sentAt, _time);
            if (answer.IsTaken)
                continue;
            TimeSpan left = wait == Timeout.InfiniteTimeSpan ? TimeSpan.MaxValue : wait - _time.GetElapsedTime(began);
            if (left <= TimeSpan.Zero)
                return null;
            await WaitAsync(told, answer.LeftMs, left, cancellationToken).ConfigureAwait(false);
        }
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

    // For what is given back: without a server nobody can be told, and it runs out by itself.
    private static async Task IgnoreLossAsync(ValueTask call)
    {
        try
        {
            await call.ConfigureAwait(false);
        }
        catch (Exception e) when (CacheMembership.IsLoss(e) || e is ObjectDisposedException)
        {
            // The lease, or the place among those who wait, runs out.
        }
    }

    private void OnReceived(ReadOnlyMemory<byte> message)
    {
        if (_waiting.TryGetValue(Encoding.ASCII.GetString(message.Span), out WaitingOwner? owner))
            owner.Tell();
    }
}
