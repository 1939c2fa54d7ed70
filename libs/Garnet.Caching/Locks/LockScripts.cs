// The scripts of locks. Immutable; any thread.
using Garnet.Caching.Links;

namespace Garnet.Caching.Locks;

/// <summary>
/// A lock is a string of its owner, and mostly its fencing token, that expires. Those who wait stand in a sorted set by their numbers, and
/// in another by the time at which they count as gone; the server's clock, which may jump, decides about their order at most.
/// </summary>
internal static class LockScripts
{
    /// <summary>For how long the last token of a name is known; then the next one is the time again, which has gone on faster.</summary>
    public const long TokenLifeMs = 7L * 24 * 60 * 60 * 1000;

    /// <summary>
    /// Takes a lock, or waits for it. Keys: lock, queue, signs of life, last token. Values: owner, milliseconds of the lease, 1 to wait.
    /// Returns the token as text, or an empty one and the milliseconds that are left of the lock's lease. An owner that asks again has its
    /// lock extended and gets the same token, if it has one.
    /// </summary>
    public static readonly CacheScript Take = new(
        $$"""
        local clock = redis.call('TIME')
        local now = clock[1] * 1000000 + clock[2]
        local function take()
          local token = string.format('%.0f', now)
          local last = redis.call('SET', KEYS[4], token, 'PX', {{TokenLifeMs}}, 'GET')
          if last and tonumber(last) >= now then
            token = string.format('%.0f', last + 1)
            redis.call('SET', KEYS[4], token, 'PX', {{TokenLifeMs}})
          end
          redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. token, 'PX', ARGV[2])
          return {token, 0}
        end
        if redis.call('EXISTS', KEYS[1], KEYS[2]) == 0 then return take() end
        local held = redis.call('GET', KEYS[1])
        if held then
          local owner, token = string.match(held, '^(%S+) ?(%d*)$')
          if owner == ARGV[1] then
            if token == '' then return take() end
            redis.call('PEXPIRE', KEYS[1], ARGV[2])
            return {token, 0}
          end
        end
        local gone = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now)
        for _, waiting in ipairs(gone) do
          redis.call('ZREM', KEYS[2], waiting)
          redis.call('ZREM', KEYS[3], waiting)
        end
        if not held then
          local first = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
          if not first or first == ARGV[1] then
            redis.call('ZREM', KEYS[2], ARGV[1])
            redis.call('ZREM', KEYS[3], ARGV[1])
            return take()
          end
        end
        if ARGV[3] == '1' then
          if not redis.call('ZSCORE', KEYS[2], ARGV[1]) then
            local last = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')[2]
            redis.call('ZADD', KEYS[2], (tonumber(last) or 0) + 1, ARGV[1])
          end
          redis.call('ZADD', KEYS[3], now + ARGV[2] * 1000, ARGV[1])
          redis.call('PEXPIRE', KEYS[2], ARGV[2] * 4)
          redis.call('PEXPIRE', KEYS[3], ARGV[2] * 4)
        end
        return {'', redis.call('PTTL', KEYS[1])}
        """
    );

    /// <summary>
    /// Begins the tokens of a name that the server does not know any more. Keys: last token. Values: token, milliseconds that it is kept.
    /// </summary>
    public static readonly CacheScript Begin = new(
        """
        local last = tonumber(redis.call('GET', KEYS[1]) or 0)
        if last < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
        return 1
        """
    );

    /// <summary>Extends a lock. Keys: lock. Values: what it is set to, milliseconds. Returns 0 when it is lost.</summary>
    public static readonly CacheScript Extend = new(
        """
        if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
        return redis.call('PEXPIRE', KEYS[1], ARGV[2])
        """
    );

    /// <summary>
    /// Gives a lock back, or gives up waiting, and tells the first who waits. Keys: lock, queue, signs of life. Values: owner, prefix of
    /// the channels, length of an instance's name, with which those who wait begin. Who has the lock does not wait.
    /// </summary>
    public static readonly CacheScript Release = new(
        """
        local held = redis.call('GET', KEYS[1])
        if held and string.match(held, '^%S+') == ARGV[1] then
          redis.call('DEL', KEYS[1])
        else
          redis.call('ZREM', KEYS[2], ARGV[1])
          redis.call('ZREM', KEYS[3], ARGV[1])
          if held then return 0 end
        end
        local first = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
        if first then redis.call('PUBLISH', ARGV[2] .. string.sub(first, 1, ARGV[3]), first) end
        return 1
        """
    );
}
