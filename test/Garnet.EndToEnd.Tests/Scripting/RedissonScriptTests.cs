// Redisson's scripts by what they call: locks, a fair lock, a map whose entries expire, a rate limiter, and a queue of delayed values. The
// scripts are written for this test, with the same commands, struct formats and replies. Each test has its own server.
using System.Globalization;
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Scripting;

public sealed class RedissonScriptTests : IDisposable
{
    // A hash holds the owner and how often it has taken the lock; others get the time that is left.
    private const string Lock = """
        if ((redis.call('exists', KEYS[1]) == 0) or (redis.call('hexists', KEYS[1], ARGV[2]) == 1)) then
            redis.call('hincrby', KEYS[1], ARGV[2], 1);
            redis.call('pexpire', KEYS[1], ARGV[1]);
            return nil;
        end;
        return redis.call('pttl', KEYS[1]);
        """;

    // The last release removes the lock and tells those who wait. The result is kept for a client that asks again.
    private const string Unlock = """
        local known = redis.call('get', KEYS[3]);
        if known ~= false then return tonumber(known); end;
        if (redis.call('hexists', KEYS[1], ARGV[3]) == 0) then return nil; end;
        local left = redis.call('hincrby', KEYS[1], ARGV[3], -1);
        if (left > 0) then
            redis.call('pexpire', KEYS[1], ARGV[2]);
            redis.call('set', KEYS[3], 0, 'px', ARGV[5]);
            return 0;
        end;
        redis.call('del', KEYS[1]);
        redis.call(ARGV[4], KEYS[2], ARGV[1]);
        redis.call('set', KEYS[3], 1, 'px', ARGV[5]);
        return 1;
        """;

    // Those who wait are in a list, with their deadlines in a sorted set; those whose deadline has passed are dropped first.
    private const string FairLock = """
        while true do
            local first = redis.call('lindex', KEYS[2], 0);
            if first == false then break; end;
            local deadline = redis.call('zscore', KEYS[3], first);
            if deadline ~= false and tonumber(deadline) <= tonumber(ARGV[3]) then
                redis.call('zrem', KEYS[3], first);
                redis.call('lpop', KEYS[2]);
            else
                break;
            end;
        end;
        if (redis.call('exists', KEYS[1]) == 0)
            and ((redis.call('exists', KEYS[2]) == 0) or (redis.call('lindex', KEYS[2], 0) == ARGV[2])) then
            redis.call('lpop', KEYS[2]);
            redis.call('zrem', KEYS[3], ARGV[2]);
            local others = redis.call('zrange', KEYS[3], 0, -1);
            for i = 1, #others, 1 do redis.call('zincrby', KEYS[3], -tonumber(ARGV[4]), others[i]); end;
            redis.call('hset', KEYS[1], ARGV[2], 1);
            redis.call('pexpire', KEYS[1], ARGV[1]);
            return nil;
        end;
        if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
            redis.call('hincrby', KEYS[1], ARGV[2], 1);
            redis.call('pexpire', KEYS[1], ARGV[1]);
            return nil;
        end;
        if redis.call('zadd', KEYS[3], tonumber(ARGV[3]) + tonumber(ARGV[4]), ARGV[2]) == 1 then redis.call('rpush', KEYS[2], ARGV[2]); end;
        return redis.call('pttl', KEYS[1]);
        """;

    // A value is packed with the time it may be idle and its length; the deadline is in a sorted set.
    private const string PutInMap = """
        local insertable = false;
        local old = redis.call('hget', KEYS[1], ARGV[4]);
        if old == false then
            insertable = true;
        else
            local idle, value = struct.unpack('dLc0', old);
            local deadline = redis.call('zscore', KEYS[2], ARGV[4]);
            if deadline ~= false and tonumber(deadline) <= tonumber(ARGV[1]) then insertable = true; end;
        end;
        if tonumber(ARGV[2]) > 0 then redis.call('zadd', KEYS[2], ARGV[2], ARGV[4]); else redis.call('zrem', KEYS[2], ARGV[4]); end;
        redis.call('hset', KEYS[1], ARGV[4], struct.pack('dLc0', ARGV[3], string.len(ARGV[5]), ARGV[5]));
        local message = struct.pack('Lc0Lc0', string.len(ARGV[4]), ARGV[4], string.len(ARGV[5]), ARGV[5]);
        redis.call('publish', insertable and KEYS[3] or KEYS[4], message);
        if insertable then return nil; end;
        local idle, value = struct.unpack('dLc0', old);
        return value;
        """;

    // Permits that were given are in a sorted set by time, packed with a random part and their number.
    private const string TakePermits = """
        local rate = redis.call('hget', KEYS[1], 'rate');
        local interval = redis.call('hget', KEYS[1], 'interval');
        assert(rate ~= false and interval ~= false, 'RateLimiter is not initialized');
        assert(tonumber(rate) >= tonumber(ARGV[1]), 'Requested permits amount cannot exceed defined rate');
        local left = redis.call('get', KEYS[2]);
        if left == false then
            redis.call('set', KEYS[2], rate);
            left = rate;
        else
            local expired = redis.call('zrangebyscore', KEYS[3], 0, tonumber(ARGV[2]) - interval);
            local released = 0;
            for i, v in ipairs(expired) do
                local random, permits = struct.unpack('Bc0I', v);
                released = released + permits;
            end;
            if released > 0 then
                redis.call('zremrangebyscore', KEYS[3], 0, tonumber(ARGV[2]) - interval);
                left = tonumber(left) + released;
                redis.call('set', KEYS[2], left);
            end;
        end;
        if tonumber(left) < tonumber(ARGV[1]) then
            local first = redis.call('zrange', KEYS[3], 0, 0, 'withscores');
            return 3 + interval - (tonumber(ARGV[2]) - tonumber(first[2]));
        end;
        redis.call('zadd', KEYS[3], ARGV[2], struct.pack('Bc0I', string.len(ARGV[3]), ARGV[3], ARGV[1]));
        redis.call('decrby', KEYS[2], ARGV[1]);
        return nil;
        """;

    // Values whose time has come move from the sorted set to the queue, at most so many at once; the reply is when to come again.
    private const string MoveDelayed = """
        local due = redis.call('zrangebyscore', KEYS[2], 0, ARGV[1], 'limit', 0, ARGV[2]);
        if #due > 0 then
            for i, v in ipairs(due) do
                local random, value = struct.unpack('Bc0Lc0', v);
                redis.call('rpush', KEYS[1], value);
                redis.call('lrem', KEYS[3], 1, v);
            end;
            redis.call('zrem', KEYS[2], unpack(due));
        end;
        local next = redis.call('zrange', KEYS[2], 0, 0, 'WITHSCORES');
        if next[1] ~= nil then return next[2]; end
        return nil;
        """;

    private const string AddDelayed = """
        local value = struct.pack('Bc0Lc0', string.len(ARGV[2]), ARGV[2], string.len(ARGV[3]), ARGV[3]);
        redis.call('zadd', KEYS[2], ARGV[1], value);
        redis.call('rpush', KEYS[3], value);
        local first = redis.call('zrange', KEYS[2], 0, 0);
        if first[1] == value then redis.call('publish', KEYS[4], ARGV[1]); end;
        """;

    private readonly TestServer _server = TestServer.Start();

    [Fact]
    public void A_lock_can_be_taken_again_by_its_owner_only()
    {
        using RespExchange one = _server.Connect();
        using RespExchange other = _server.Connect();
        other.Execute("SUBSCRIBE", "lock:channel");
        Assert.Equal("$-1\r\n", Eval(one, Lock, ["lock"], "60000", "one:1"));
        Assert.Equal("$-1\r\n", Eval(one, Lock, ["lock"], "60000", "one:1"));
        Assert.InRange(Integer(Eval(one, Lock, ["lock"], "60000", "other:1")), 1, 60_000);
        Assert.Equal("$-1\r\n", Release(one, "other:1", "r1"));
        Assert.Equal(":0\r\n", Release(one, "one:1", "r2"));
        Assert.Equal("$1\r\n1\r\n", one.ExecuteText("HGET", "lock", "one:1"));
        Assert.Equal(":0\r\n", Release(one, "one:1", "r2"));
        Assert.Equal(":1\r\n", Release(one, "one:1", "r3"));
        Assert.Equal(":1\r\n", Release(one, "one:1", "r3"));
        Assert.Equal("*3\r\n$7\r\nmessage\r\n$12\r\nlock:channel\r\n$1\r\n0\r\n"u8.ToArray(), other.ReadReply());
        Assert.Equal(":0\r\n", one.ExecuteText("EXISTS", "lock"));
    }

    [Fact]
    public void A_fair_lock_goes_to_the_one_who_has_waited_longest()
    {
        using RespExchange client = _server.Connect();
        string[] keys = ["lock", "queue", "deadlines"];
        Assert.Equal("$-1\r\n", Eval(client, FairLock, keys, "60000", "a", "1000", "5000"));
        Assert.InRange(Integer(Eval(client, FairLock, keys, "60000", "b", "1100", "5000")), 1, 60_000);
        Assert.InRange(Integer(Eval(client, FairLock, keys, "60000", "c", "1200", "5000")), 1, 60_000);
        client.Execute("DEL", "lock");
        // The next one is b; once its deadline has passed, c.
        Assert.Equal(":-2\r\n", Eval(client, FairLock, keys, "60000", "c", "1300", "5000"));
        Assert.Equal("$-1\r\n", Eval(client, FairLock, keys, "60000", "c", "6100", "5000"));
        Assert.Equal(":0\r\n", client.ExecuteText("EXISTS", "queue", "deadlines"));
        Assert.Equal("$1\r\n1\r\n", client.ExecuteText("HGET", "lock", "c"));
    }

    [Fact]
    public void A_map_knows_when_its_entries_expire()
    {
        using RespExchange client = _server.Connect();
        using RespExchange listener = _server.Connect();
        listener.Execute("SUBSCRIBE", "created");
        string[] keys = ["map", "timeouts", "created", "updated"];
        Assert.Equal("$-1\r\n", Eval(client, PutInMap, keys, "1000", "5000", "0", "k", "first"));
        Assert.Equal("$5\r\nfirst\r\n", Eval(client, PutInMap, keys, "2000", "9000", "0", "k", "second"));
        Assert.Equal("$-1\r\n", Eval(client, PutInMap, keys, "9000", "0", "0", "k", "third"));
        Assert.Equal(":0\r\n", client.ExecuteText("EXISTS", "timeouts"));
        byte[] expected = [.. new byte[8], .. BitConverter.GetBytes(5L), .. "third"u8];
        Assert.Equal(expected, client.Execute("HGET", "map", "k")!.AsSpan(5, expected.Length).ToArray());
        string message = Encoding.Latin1.GetString(listener.ReadReply()!);
        Assert.EndsWith("\x01\0\0\0\0\0\0\0k\x05\0\0\0\0\0\0\0first\r\n", message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_rate_limiter_gives_permits_back_after_the_interval()
    {
        using RespExchange client = _server.Connect();
        string[] keys = ["limiter", "value", "permits"];
        Assert.Contains("RateLimiter is not initialized", Eval(client, TakePermits, keys, "1", "1000", "r"), StringComparison.Ordinal);
        client.Execute("HSET", "limiter", "rate", "3", "interval", "1000");
        Assert.Equal("$-1\r\n", Eval(client, TakePermits, keys, "2", "5000", "r1"));
        Assert.Equal("$-1\r\n", Eval(client, TakePermits, keys, "1", "5100", "r2"));
        Assert.Equal(":803\r\n", Eval(client, TakePermits, keys, "1", "5200", "r3"));
        Assert.Equal("$-1\r\n", Eval(client, TakePermits, keys, "2", "6050", "r4"));
        Assert.Equal("$1\r\n0\r\n", client.ExecuteText("GET", "value"));
        Assert.Contains("cannot exceed defined rate", Eval(client, TakePermits, keys, "4", "7000", "r5"), StringComparison.Ordinal);
    }

    [Fact]
    public void Delayed_values_arrive_in_the_order_of_their_times()
    {
        using RespExchange client = _server.Connect();
        string[] keys = ["queue", "timeouts", "all", "channel"];
        foreach ((string time, string value) in new[] { ("300", "c"), ("100", "a"), ("200", "b"), ("900", "z") })
            Assert.Equal("$-1\r\n", Eval(client, AddDelayed, keys, time, "random" + value, value));
        Assert.Equal("$3\r\n100\r\n", Eval(client, MoveDelayed, keys, "50", "100"));
        Assert.Equal("$3\r\n300\r\n", Eval(client, MoveDelayed, keys, "500", "2"));
        Assert.Equal("$3\r\n900\r\n", Eval(client, MoveDelayed, keys, "500", "100"));
        Assert.Equal("*3\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n", client.ExecuteText("LRANGE", "queue", "0", "-1"));
        Assert.Equal(":1\r\n", client.ExecuteText("LLEN", "all"));
        Assert.Equal("$-1\r\n", Eval(client, MoveDelayed, keys, "1000", "100"));
    }

    public void Dispose() => _server.Dispose();

    private static string Release(RespExchange client, string owner, string request) =>
        Eval(client, Unlock, ["lock", "lock:channel", "result:" + request], "0", "60000", owner, "publish", "60000");

    private static long Integer(string reply) => long.Parse(reply[1..^2], CultureInfo.InvariantCulture);

    private static string Eval(RespExchange client, string script, string[] keys, params string[] arguments) =>
        client.ExecuteText(["EVAL", script, keys.Length.ToString(CultureInfo.InvariantCulture), .. keys, .. arguments]);
}
