// What locks ask of a server. Thread-safe.
using System.Globalization;
using System.Text;
using Garnet.Caching.Coherence;
using Garnet.Caching.Links;
using Garnet.Client;

namespace Garnet.Caching.Locks;

/// <summary>
/// A free lock for which nobody waits is taken, and given back, by plain commands in one round trip. Scripts do what needs more: they wait,
/// and hand the lock to who is first among those who do.
/// </summary>
/// <param name="link">To the server.</param>
/// <param name="prefix">The beginning of all names.</param>
/// <param name="instance">The name with which this instance's owners begin.</param>
/// <param name="lease">How long a lock lasts.</param>
internal sealed class LockCommands(ICacheLink link, string prefix, string instance, TimeSpan lease)
{
    // A counter that nobody has begun with the server's time, which is in microseconds since 1970, does not come up to this.
    private const long MinToken = 1_000_000_000_000;

    private static readonly byte[] One = "1"u8.ToArray();
    private static readonly byte[] Zero = "0"u8.ToArray();
    private static readonly byte[] IfMissing = "NX"u8.ToArray();
    private static readonly byte[] ExpiresAfter = "PX"u8.ToArray();
    private static readonly byte[] TokenLife = CacheText.Number(LockScripts.TokenLifeMs);

    private readonly byte[] _lock = Encoding.UTF8.GetBytes(prefix + "lock:");
    private readonly byte[] _token = Encoding.UTF8.GetBytes(prefix + "lock-token:");
    private readonly byte[] _queue = Encoding.UTF8.GetBytes(prefix + "lock-queue:");
    private readonly byte[] _alive = Encoding.UTF8.GetBytes(prefix + "lock-alive:");
    private readonly byte[] _channels = Encoding.UTF8.GetBytes(ChannelPrefix(prefix));
    private readonly byte[] _leaseMs = CacheText.Number(CacheText.Milliseconds(lease));
    private volatile bool _hasDelIfEq = true;

    /// <summary>The channel on which an instance is told whose turn it is.</summary>
    public static string Channel(string prefix, string instance) => ChannelPrefix(prefix) + instance;

    /// <summary>Takes a lock if it is free. Whoever takes one for which others wait must give it back.</summary>
    public async ValueTask<LockAnswer> TakeFreeAsync(string name, string owner, CancellationToken cancellationToken)
    {
        byte[] key = CacheText.Key(_token, name);
        RespValue[] replies = await link.CallAllAsync(
                [
                    new CacheCommand("SET", CacheText.Key(_lock, name), Ascii(owner), IfMissing, ExpiresAfter, _leaseMs),
                    // While the lock is held, so that the number is larger than those of all owners before.
                    new CacheCommand("INCR", key),
                    new CacheCommand("EXISTS", CacheText.Key(_queue, name)),
                ],
                cancellationToken
            )
            .ConfigureAwait(false);
        bool isTaken = !replies[0].IsNull;
        bool isContended = replies[2].AsInt64() != 0;
        long token = replies[1].AsInt64();
        if (isTaken && !isContended && token < MinToken)
            token = await BeginTokenAsync(key, cancellationToken).ConfigureAwait(false);
        return new LockAnswer(owner, isTaken ? owner : null, token, -2, isContended);
    }

    /// <summary>Takes a lock, or a place among those who wait for it; extends it, if the owner has it.</summary>
    public async ValueTask<LockAnswer> AskAsync(string name, string owner, bool waits, CancellationToken cancellationToken)
    {
        RespValue reply = await LockScripts
            .Take.CallAsync(
                link,
                [.. Keys(name), CacheText.Key(_token, name)],
                [Ascii(owner), _leaseMs, waits ? One : Zero],
                cancellationToken
            )
            .ConfigureAwait(false);
        string token = reply[0].AsString()!;
        return token.Length == 0
            ? new LockAnswer(owner, null, 0, reply[1].AsInt64(), IsContended: true)
            : new LockAnswer(owner, $"{owner} {token}", long.Parse(token, CultureInfo.InvariantCulture), 0, IsContended: true);
    }

    /// <summary>Renews a lock; false when it is lost.</summary>
    public async ValueTask<bool> ExtendAsync(string name, LockAnswer taken, CancellationToken cancellationToken)
    {
        RespValue reply = await LockScripts
            .Extend.CallAsync(link, [CacheText.Key(_lock, name)], [Ascii(taken.Held!), _leaseMs], cancellationToken)
            .ConfigureAwait(false);
        return reply.AsInt64() == 1;
    }

    /// <summary>Gives a lock back.</summary>
    public async ValueTask ReleaseAsync(string name, LockAnswer taken)
    {
        if (taken.IsContended || !await TryDeleteAsync(name, taken.Held!).ConfigureAwait(false))
            await LeaveAsync(name, taken.Owner).ConfigureAwait(false);
    }

    /// <summary>Gives back what an owner has: the lock, a place among those who wait, or nothing.</summary>
    public async ValueTask LeaveAsync(string name, string owner) =>
        await LockScripts
            .Release.CallAsync(link, Keys(name), [Ascii(owner), _channels, CacheText.Number(instance.Length)])
            .ConfigureAwait(false);

    // A further round trip, for a name's first lock alone. While the lock is held, so that the time is later than that of owners before.
    private async ValueTask<long> BeginTokenAsync(byte[] key, CancellationToken cancellationToken)
    {
        RespValue clock = await link.CallAsync("TIME", [], cancellationToken).ConfigureAwait(false);
        long now = (clock[0].AsInt64() * 1_000_000) + clock[1].AsInt64();
        _ = BeginAsync(key, now);
        return now;
    }

    // Not awaited: the same connection brings it to the server before the lock is given back. If it is lost on the way, the next owner's
    // number is the time again, which is larger.
    private async Task BeginAsync(byte[] key, long now)
    {
        try
        {
            await LockScripts.Begin.CallWithTextAsync(link, [key], [CacheText.Number(now), TokenLife]).ConfigureAwait(false);
        }
        catch (Exception e) when (CacheMembership.IsLoss(e) || e is ObjectDisposedException)
        {
            // As if it were lost on the way.
        }
    }

    // False on a server without the command, of which the owner's right to call it is a part.
    private async ValueTask<bool> TryDeleteAsync(string name, string held)
    {
        if (!_hasDelIfEq)
            return false;
        RespValue[] replies;
        try
        {
            replies = await link.CallAllAsync([
                    new CacheCommand("DELIFEQ", CacheText.Key(_lock, name), Ascii(held)),
                    new CacheCommand("ZRANGE", CacheText.Key(_queue, name), Zero, Zero),
                ])
                .ConfigureAwait(false);
        }
        catch (GarnetCommandException e) when (e.Code is "ERR" or "NOPERM")
        {
            _hasDelIfEq = false;
            return false;
        }

        if (replies[0].AsInt64() == 1 && replies[1].Children is [{ Bytes: var first }, ..])
        {
            byte[] channel = [.. _channels, .. first.Span[..instance.Length]];
            await link.CallAsync("PUBLISH", [channel, first]).ConfigureAwait(false);
        }

        return true;
    }

    private ReadOnlyMemory<byte>[] Keys(string name) =>
        [CacheText.Key(_lock, name), CacheText.Key(_queue, name), CacheText.Key(_alive, name)];

    private static string ChannelPrefix(string prefix) => prefix + "lock-to:";

    private static byte[] Ascii(string text) => Encoding.ASCII.GetBytes(text);
}
