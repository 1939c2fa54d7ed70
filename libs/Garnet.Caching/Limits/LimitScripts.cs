// The scripts of limits. Immutable; any thread.
using Garnet.Caching.Links;

namespace Garnet.Caching.Limits;

/// <summary>
/// Each takes the limit's key, and as its first values the number of permits and the limit. Each returns the permits that are left if those
/// were granted, as a number; else the permits that are left and the milliseconds after which it is worth trying again, or -1. No permits
/// asks whether there is one. Time is the server's.
/// </summary>
internal static class LimitScripts
{
    /// <summary>A window begins with the first permit after the last one. Values: permits, limit, milliseconds of the window.</summary>
    public static readonly CacheScript FixedWindow = new(
        """
        local permits, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
        if permits == 0 then
          local left = limit - (tonumber(redis.call('GET', KEYS[1]) or 0) or limit)
          if left > 0 then return left end
          return {left, redis.call('PTTL', KEYS[1])}
        end
        local used = redis.call('INCRBY', KEYS[1], permits)
        if used == permits then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
        if used <= limit then return limit - used end
        used = redis.call('DECRBY', KEYS[1], permits)
        return {limit - used, redis.call('PTTL', KEYS[1])}
        """
    );

    /// <summary>Counts by segment, in a hash. Values: permits, limit, milliseconds of a segment, segments of the window.</summary>
    public static readonly CacheScript SlidingWindow = new(
        """
        local permits, limit, length, segments = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
        local clock = redis.call('TIME')
        local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
        local current = math.floor(now / length)
        local used, counts = 0, redis.call('HGETALL', KEYS[1])
        local kept = {}
        for i = 1, #counts, 2 do
          local segment, count = tonumber(counts[i]), tonumber(counts[i + 1])
          if segment > current - segments then
            used = used + count
            kept[#kept + 1] = {segment, count}
          else
            redis.call('HDEL', KEYS[1], counts[i])
          end
        end
        local over = used + math.max(permits, 1) - limit
        if over <= 0 then
          if permits > 0 then
            redis.call('HINCRBY', KEYS[1], string.format('%.0f', current), permits)
            redis.call('PEXPIRE', KEYS[1], length * (segments + 1))
          end
          return limit - used - permits
        end
        table.sort(kept, function(a, b) return a[1] < b[1] end)
        for _, each in ipairs(kept) do
          over = over - each[2]
          if over <= 0 then return {limit - used, (each[1] + segments) * length - now} end
        end
        return {limit - used, -1}
        """
    );

    /// <summary>
    /// Millionths of tokens and the time of their count in microseconds, as one string of two integers. Values: permits, limit, tokens of a
    /// period, milliseconds of a period.
    /// </summary>
    public static readonly CacheScript TokenBucket = new(
        """
        local permits, full = tonumber(ARGV[1]), tonumber(ARGV[2]) * 1000000
        local rate = tonumber(ARGV[3]) * 1000 / tonumber(ARGV[4])
        local clock = redis.call('TIME')
        local now = clock[1] * 1000000 + clock[2]
        local tokens, counted = full, now
        local count = redis.call('GET', KEYS[1])
        if count then
          tokens, counted = string.match(count, '^(%d+) (%d+)$')
          if not tokens then return redis.error_reply('ERR the key of a limit holds something else') end
        end
        tokens = math.min(full, math.floor(tokens + math.max(0, now - counted) * rate))
        local needed = math.max(permits, 1) * 1000000
        if tokens < needed then return {math.floor(tokens / 1000000), math.ceil((needed - tokens) / rate / 1000)} end
        if permits > 0 then
          tokens = tokens - needed
          local lives = string.format('%.0f', math.ceil((full - tokens) / rate / 1000) + 1000)
          redis.call('SET', KEYS[1], string.format('%.0f %.0f', tokens, now), 'PX', lives)
        end
        return math.floor(tokens / 1000000)
        """
    );

    /// <summary>
    /// Each permit is a member of a sorted set until it is given back, or its holder has not renewed it. Values: permits, limit,
    /// milliseconds of a lease, 1 to be told when permits come back, name of the lease. A second key exists while somebody is to be told.
    /// </summary>
    public static readonly CacheScript Concurrency = new(
        """
        local permits, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
        local clock = redis.call('TIME')
        local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
        redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
        local used = redis.call('ZCARD', KEYS[1])
        if used + math.max(permits, 1) > limit then
          if ARGV[4] == '1' then redis.call('SET', KEYS[2], '', 'PX', ARGV[3]) end
          return {limit - used, -1}
        end
        for i = 1, permits do redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[5] .. ':' .. i) end
        if permits > 0 then redis.call('PEXPIRE', KEYS[1], ARGV[3] * 2) end
        return limit - used - permits
        """
    );

    /// <summary>
    /// Gives permits back, and tells those who wait. Keys: the limit's, and that which exists while somebody waits. Values: channel, then
    /// the names.
    /// </summary>
    public static readonly CacheScript Return = new(
        """
        for i = 2, #ARGV do redis.call('ZREM', KEYS[1], ARGV[i]) end
        if redis.call('DEL', KEYS[2]) == 1 then redis.call('PUBLISH', ARGV[1], KEYS[1]) end
        return 1
        """
    );

    /// <summary>Renews permits. Values: milliseconds of a lease, then the names. Those that are not there any more stay away.</summary>
    public static readonly CacheScript Renew = new(
        """
        local clock = redis.call('TIME')
        local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
        for i = 2, #ARGV do redis.call('ZADD', KEYS[1], 'XX', now + ARGV[1], ARGV[i]) end
        return redis.call('PEXPIRE', KEYS[1], ARGV[1] * 2)
        """
    );
}
