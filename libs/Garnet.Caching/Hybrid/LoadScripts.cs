// The scripts of loaders' leases and of sliding expiry. Immutable; any thread.
using Garnet.Caching.Links;

namespace Garnet.Caching.Hybrid;

/// <summary>
/// A lease is a token under a key that expires; with an exclamation mark at its end it still keeps others from loading, but its holder may
/// not store.
/// </summary>
internal static class LoadScripts
{
    /// <summary>The lease was taken.</summary>
    public const int Taken = 1;

    /// <summary>Another one has the lease.</summary>
    public const int Busy = 0;

    /// <summary>The entry is not the one that the caller has seen.</summary>
    public const int Changed = 2;

    /// <summary>
    /// Takes the lease of a key, if its entry is still the one that was seen. Keys: entry, lease, waiting instances. Values: token,
    /// milliseconds, what was seen of the entry, instance. Returns the outcome, and the milliseconds that are left of the other's lease.
    /// </summary>
    public static readonly CacheScript Take = new(
        $$"""
        if redis.call('GETRANGE', KEYS[1], {{StoredEntry.NonceAt}}, {{StoredEntry.NonceAt + StoredEntry.NonceBytes - 1}}) ~= ARGV[3] then
          return {2, 0}
        end
        if redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then return {1, 0} end
        redis.call('SADD', KEYS[3], ARGV[4])
        redis.call('PEXPIRE', KEYS[3], 2 * ARGV[2])
        return {0, redis.call('PTTL', KEYS[2])}
        """
    );

    /// <summary>Extends a lease. Keys: lease. Values: token, milliseconds. Returns 0 when it is lost.</summary>
    public static readonly CacheScript Extend = new(
        """
        local lease = redis.call('GET', KEYS[1])
        if lease ~= ARGV[1] and lease ~= ARGV[1] .. '!' then return 0 end
        return redis.call('PEXPIRE', KEYS[1], ARGV[2])
        """
    );

    /// <summary>
    /// Gives a lease back, storing an entry before if it still may. Keys: entry, lease, waiting instances, limit. Values: token, prefix of
    /// the instances' channels, message to those who wait, milliseconds that the entry lives or 0 to store none, those of its limit or 0,
    /// entry. Returns 1 if the lease was held and the entry could be stored.
    /// </summary>
    public static readonly CacheScript Release = new(
        """
        local lease = redis.call('GET', KEYS[2])
        if lease ~= ARGV[1] and lease ~= ARGV[1] .. '!' then return 0 end
        local stores = lease == ARGV[1] and ARGV[4] ~= '0'
        if stores then
          redis.call('SET', KEYS[1], ARGV[6], 'PX', ARGV[4])
          if ARGV[5] == '0' then redis.call('DEL', KEYS[4]) else redis.call('SET', KEYS[4], '', 'PX', ARGV[5]) end
        end
        redis.call('DEL', KEYS[2])
        for _, waiting in ipairs(redis.call('SMEMBERS', KEYS[3])) do redis.call('PUBLISH', ARGV[2] .. waiting, ARGV[3]) end
        redis.call('DEL', KEYS[3])
        if stores then return 1 end
        return 0
        """
    );

    /// <summary>
    /// Renews a sliding expiry. Keys: entry, limit. Values: milliseconds, 1 if there is a limit. Returns 0 when there is nothing to renew.
    /// </summary>
    public static readonly CacheScript Renew = new(
        """
        local lives = tonumber(ARGV[1])
        if ARGV[2] == '1' then lives = math.min(lives, redis.call('PTTL', KEYS[2])) end
        if lives <= 0 then return 0 end
        return redis.call('PEXPIRE', KEYS[1], lives)
        """
    );
}
