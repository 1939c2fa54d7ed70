// The scripts that keep instances coherent. Immutable; any thread.
using Garnet.Caching.Links;

namespace Garnet.Caching.Coherence;

/// <summary>Each is short and touches the keys that it is given.</summary>
internal static class CoherenceScripts
{
    /// <summary>The field of the sequence number among the members.</summary>
    public const string Sequence = "seq";

    /// <summary>The value of a member; one that has not acknowledged a change is <see cref="Marked"/>.</summary>
    public const string Registered = "1";

    /// <summary>The value of a member whose session ends at its next renewal.</summary>
    public const string Marked = "0";

    /// <summary>
    /// Adds a member and removes the one that it follows. Keys: members. Values: member, former member, first number of a new list. Returns
    /// the sequence number.
    /// </summary>
    public static readonly CacheScript Register = new(
        """
        redis.call('HSETNX', KEYS[1], 'seq', ARGV[3])
        redis.call('HDEL', KEYS[1], ARGV[2])
        redis.call('HSET', KEYS[1], ARGV[1], '1')
        return redis.call('HGET', KEYS[1], 'seq')
        """
    );

    /// <summary>
    /// The tokens of tags, where one that is missing is created. Keys: tags. Values: milliseconds that a new one lives, then a token for
    /// each.
    /// </summary>
    public static readonly CacheScript Tokens = new(
        """
        local tokens = {}
        for i = 1, #KEYS do
          local token = redis.call('GET', KEYS[i])
          if not token then
            token = ARGV[1 + i]
            redis.call('SET', KEYS[i], token, 'PX', ARGV[1])
          elseif redis.call('PTTL', KEYS[i]) < ARGV[1] / 2 then
            redis.call('PEXPIRE', KEYS[i], ARGV[1])
          end
          tokens[i] = token
        end
        return tokens
        """
    );

    /// <summary>
    /// Removes tags, removes keys, sets keys, and announces it. Keys: members, tags, then four for each key: entry, lease, waiting
    /// instances, limit. Values: channel, body, first number of a new list, number of tags, milliseconds that tokens live, number of keys
    /// to remove, prefix of the instances' channels, a token for each tag, and for each key to set: value, milliseconds that it lives,
    /// those of its limit or 0, message to those who wait. Returns the members with the sequence number among them. A loader's lease stays,
    /// so that no other begins meanwhile, but what it loads is not stored any more.
    /// </summary>
    public static readonly CacheScript Change = new(
        """
        local tags, removed = tonumber(ARGV[4]), tonumber(ARGV[6])
        for i = 1, tags do redis.call('SET', KEYS[1 + i], ARGV[7 + i], 'PX', ARGV[5]) end
        local value = 8 + tags
        for i = tags + 2, #KEYS, 4 do
          local lease = redis.call('GET', KEYS[i + 1])
          if lease and string.sub(lease, -1) ~= '!' then
            redis.call('SET', KEYS[i + 1], lease .. '!', 'PX', math.max(1, redis.call('PTTL', KEYS[i + 1])))
          end
          redis.call('DEL', KEYS[i + 3])
          if i < tags + 2 + 4 * removed then
            redis.call('UNLINK', KEYS[i])
          else
            redis.call('SET', KEYS[i], ARGV[value], 'PX', ARGV[value + 1])
            if ARGV[value + 2] ~= '0' then redis.call('SET', KEYS[i + 3], '', 'PX', ARGV[value + 2]) end
            for _, waiting in ipairs(redis.call('SMEMBERS', KEYS[i + 2])) do
              redis.call('PUBLISH', ARGV[7] .. waiting, ARGV[value + 3])
            end
            redis.call('DEL', KEYS[i + 2])
            value = value + 4
          end
        end
        redis.call('HSETNX', KEYS[1], 'seq', ARGV[3])
        redis.call('HINCRBY', KEYS[1], 'seq', 1)
        redis.call('PUBLISH', ARGV[1], redis.call('HGET', KEYS[1], 'seq') .. ' ' .. ARGV[2])
        return redis.call('HGETALL', KEYS[1])
        """
    );

    /// <summary>
    /// Marks members, and deletes those that were marked before. Keys: members. Values: number to mark, those, then those to delete.
    /// </summary>
    public static readonly CacheScript Mark = new(
        """
        for i = 2, #ARGV do
          if i > tonumber(ARGV[1]) + 1 then
            redis.call('HDEL', KEYS[1], ARGV[i])
          elseif redis.call('HEXISTS', KEYS[1], ARGV[i]) == 1 then
            redis.call('HSET', KEYS[1], ARGV[i], '0')
          end
        end
        return 0
        """
    );
}
