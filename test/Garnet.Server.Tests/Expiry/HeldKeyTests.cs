// Expired keys that the server may not remove: on a replica, whose primary decides, and while writes are paused. One thread.
using Garnet.Engine.Requests;
using Garnet.Server.Tests.Commands;
using Xunit;

namespace Garnet.Server.Tests.Expiry;

public sealed class HeldKeyTests
{
    // A call of every command that reads keys, with one key of each type: $s a string, and so on.
    private static readonly string[] Reads =
    [
        "BITCOUNT $s",
        "BITFIELD_RO $s GET u8 0",
        "BITPOS $s 1",
        "DUMP $s",
        "EVAL_RO return_redis.call('get',KEYS[1]) 1 $s",
        "EVAL_RO return_redis.call('hgetall',KEYS[1]) 1 $h",
        "EVALSHA_RO <sha> 1 $s",
        "EXISTS $s $l",
        "EXPIRETIME $s",
        "FCALL_RO f 1 $s",
        "GEODIST $g a b",
        "GEOHASH $g a",
        "GEOPOS $g a",
        "GEORADIUS_RO $g 0 0 9 km",
        "GEORADIUSBYMEMBER_RO $g a 9 km",
        "GEOSEARCH $g FROMLONLAT 0 0 BYRADIUS 9 km",
        "GET $s",
        "GETBIT $s 0",
        "GETRANGE $s 0 -1",
        "HEXISTS $h a",
        "HEXPIRETIME $h FIELDS 1 a",
        "HGET $h a",
        "HGETALL $h",
        "HKEYS $h",
        "HLEN $h",
        "HMGET $h a b",
        "HPEXPIRETIME $h FIELDS 1 a",
        "HPTTL $h FIELDS 1 a",
        "HRANDFIELD $h",
        "HRANDFIELD $h 2 WITHVALUES",
        "HSCAN $h 0",
        "HSTRLEN $h a",
        "HTTL $h FIELDS 1 a",
        "HVALS $h",
        "LCS $s $s",
        "LINDEX $l 0",
        "LLEN $l",
        "LPOS $l a",
        "LRANGE $l 0 -1",
        "MEMORY USAGE $s",
        "MGET $s $s",
        "OBJECT ENCODING $s",
        "OBJECT FREQ $s",
        "OBJECT IDLETIME $s",
        "OBJECT REFCOUNT $s",
        "PEXPIRETIME $s",
        "PFCOUNT $p",
        "PFCOUNT $p $p",
        "PTTL $s",
        "SCARD $S",
        "SDIFF $S",
        "SINTER $S $S",
        "SINTERCARD 2 $S $S",
        "SISMEMBER $S a",
        "SMEMBERS $S",
        "SMISMEMBER $S a b",
        "SORT $l ALPHA",
        "SORT_RO $l ALPHA",
        "SRANDMEMBER $S",
        "SRANDMEMBER $S 2",
        "SSCAN $S 0",
        "STRLEN $s",
        "SUBSTR $s 0 -1",
        "SUNION $S $S",
        "TOUCH $s $l",
        "TTL $s",
        "TYPE $s",
        "WATCH $s",
        "XINFO CONSUMERS $x g",
        "XINFO GROUPS $x",
        "XINFO STREAM $x",
        "XINFO STREAM $x FULL",
        "XLEN $x",
        "XPENDING $x g",
        "XRANGE $x - +",
        "XREAD STREAMS $x 0",
        "XREVRANGE $x + -",
        "ZCARD $z",
        "ZCOUNT $z -inf +inf",
        "ZDIFF 1 $z",
        "ZINTER 2 $z $z",
        "ZINTERCARD 2 $z $z",
        "ZLEXCOUNT $z - +",
        "ZMSCORE $z a",
        "ZRANDMEMBER $z",
        "ZRANDMEMBER $z 2",
        "ZRANGE $z 0 -1",
        "ZRANGEBYLEX $z - +",
        "ZRANGEBYSCORE $z -inf +inf",
        "ZRANK $z a",
        "ZREVRANGE $z 0 -1",
        "ZREVRANGEBYLEX $z + -",
        "ZREVRANGEBYSCORE $z +inf -inf",
        "ZREVRANK $z a",
        "ZSCAN $z 0",
        "ZSCORE $z a",
        "ZUNION 2 $z $z",
    ];

    private static readonly string[] Creating =
    [
        "SET $s 41",
        "RPUSH $l a b",
        "SADD $S a b",
        "ZADD $z 1 a 2 b",
        "HSET $h a 1 b 2",
        "XADD $x 1-1 a 1",
        "XGROUP CREATE $x g 0",
        "PFADD $p a b",
        "GEOADD $g 0 0 a 0 1 b",
        "SET base 1",
    ];

    private static readonly string[] Keys = ["$s", "$l", "$S", "$z", "$h", "$x", "$p", "$g"];

    [Fact]
    public void The_list_names_every_command_that_reads_keys()
    {
        using InProcessServer server = new();
        string[] reading =
        [
            .. server
                .Server.Commands.Commands.SelectMany(command => command.IsContainer ? command.Subcommands : [command])
                .Where(command => (command.Flags & CommandFlags.ReadOnly) != 0 && command.Descriptor.Keys.Length > 0)
                .Select(command => command.FullName.Replace('|', ' ').ToUpperInvariant()),
        ];
        Assert.True(reading.Length > 70);
        Assert.DoesNotContain(reading, name => !Reads.Any(read => read.StartsWith(name + " ", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE")]
    [InlineData("CLIENT PAUSE 100000 WRITE", "CLIENT UNPAUSE")]
    public void Reads_hide_expired_keys_and_leave_them(string begin, string end)
    {
        using InProcessServer server = new();
        Prepare(server, out string sha);
        foreach (string key in Keys)
            server.Call("PEXPIRE", key, "100");
        server.Call(begin.Split(' '));
        server.Clock.Advance(TimeSpan.FromMilliseconds(200));
        foreach (string read in Reads.Where(read => !IsPaused(read, begin)))
        {
            string[] request = Words(read, sha);
            string reply = server.Call(request);
            Assert.True(reply.Length > 0, $"{read} waits.");
            string missing = server.Call([.. request.Select(word => Keys.Contains(word) ? "missing" : word)]);
            // As Valkey does, it tells what an expired key takes while the key is there.
            missing = missing.Replace("'missing'", $"'{request[1]}'", StringComparison.Ordinal);
            if (request[0] != "MEMORY")
                Assert.True(reply == missing, $"{read}: {reply} instead of {missing}");
            Assert.True(server.Store.Databases.KeyCount(0) == Keys.Length + 1, $"{read} removed its key.");
        }

        Assert.Contains("expired_keys:0\r\n", server.Call("INFO", "stats"), StringComparison.Ordinal);
        server.Call("UNWATCH");
        server.Call(end.Split(' '));
        foreach (string key in Keys)
            Assert.Equal(":0\r\n", server.Call("TOUCH", key));
        Assert.Equal(1, server.Store.Databases.KeyCount(0));
    }

    [Theory]
    [InlineData("REPLICAOF 127.0.0.1 1")]
    [InlineData("CLIENT PAUSE 100000 WRITE")]
    public void Reads_hide_expired_fields_and_leave_them(string begin)
    {
        using InProcessServer server = new();
        Prepare(server, out string sha);
        server.Call("HPEXPIRE", "$h", "100", "FIELDS", "1", "a");
        server.Call(begin.Split(' '));
        server.Clock.Advance(TimeSpan.FromMilliseconds(200));
        foreach (string read in Reads.Where(read => read.Contains("$h", StringComparison.Ordinal)))
        {
            string reply = server.Call(Words(read, sha));
            Assert.NotEqual("", reply);
            Assert.DoesNotContain("$1\r\n1\r\n", reply, StringComparison.Ordinal);
            Assert.True(server.Call("HLEN", "$h") == ":2\r\n", $"{read} removed the field.");
        }
    }

    [Theory]
    [InlineData("INCR $s", ":1\r\n")]
    [InlineData("APPEND $s xy", ":2\r\n")]
    [InlineData("SETRANGE $s 1 x", ":2\r\n")]
    [InlineData("SETBIT $s 7 1", ":0\r\n")]
    [InlineData("GETDEL $s", Replies.Null)]
    [InlineData("GETSET $s 1", Replies.Null)]
    [InlineData("SET $s 1 XX", Replies.Null)]
    [InlineData("SET $s 1 NX", Replies.Ok)]
    [InlineData("SETNX $s 1", ":1\r\n")]
    [InlineData("LPUSH $l x", ":1\r\n")]
    [InlineData("LPUSHX $l x", ":0\r\n")]
    [InlineData("LPOP $l", Replies.Null)]
    [InlineData("SADD $S x", ":1\r\n")]
    [InlineData("SREM $S a", ":0\r\n")]
    [InlineData("ZADD $z 5 a", ":1\r\n")]
    [InlineData("ZINCRBY $z 5 a", "$1\r\n5\r\n")]
    [InlineData("HSET $h a 1", ":1\r\n")]
    [InlineData("HINCRBY $h a 5", ":5\r\n")]
    [InlineData("XADD $x 1-1 a 1", "$3\r\n1-1\r\n")]
    [InlineData("PFADD $p a", ":1\r\n")]
    [InlineData("PERSIST $s", ":0\r\n")]
    [InlineData("EXPIRE $s 10", ":0\r\n")]
    [InlineData("RENAME $s base", "-ERR no such key\r\n")]
    [InlineData("COPY $s other", ":0\r\n")]
    [InlineData("MOVE $s 1", ":0\r\n")]
    [InlineData("MSETNX $s 1 $l 2", ":1\r\n")]
    [InlineData("SUNIONSTORE $S $S", ":0\r\n")]
    [InlineData("SMOVE $S base a", ":0\r\n")]
    public void On_a_writable_replica_an_expired_key_is_absent_for_writes(string write, string reply)
    {
        using InProcessServer server = new();
        Prepare(server, out _);
        foreach (string key in Keys)
            server.Call("PEXPIRE", key, "100");
        server.Call("CONFIG", "SET", "replica-read-only", "no");
        server.Call("REPLICAOF", "127.0.0.1", "1");
        server.Clock.Advance(TimeSpan.FromMilliseconds(200));
        Assert.Equal(reply, server.Call(write.Split(' ')));
        // What it has written is not hidden behind what had expired.
        string key1 = write.Split(' ')[1];
        long keys = server.Store.Databases.KeyCount(0);
        server.Call("DEL", key1);
        Assert.InRange(server.Store.Databases.KeyCount(0), keys - 1, keys);
        Assert.Equal(":0\r\n", server.Call("EXISTS", key1));
        Assert.Equal(Replies.Bulk("1"), server.Call("GET", "base"));
    }

    [Fact]
    public void Nothing_is_evicted_while_writes_are_paused()
    {
        using InProcessServer server = new(options => options.MaxMemoryPolicy = EvictionPolicy.AllKeysRandom);
        for (int i = 0; i < 1000; i++)
            server.Call("SET", $"k{i}", new string('x', 1000));
        server.Call("CLIENT", "PAUSE", "100000", "WRITE");
        server.Call("CONFIG", "SET", "maxmemory", "1");
        server.Store.Maintenance.Run();
        Assert.Equal(1000, server.Store.Databases.KeyCount(0));
        server.Call("CLIENT", "UNPAUSE");
        server.Store.Maintenance.Run();
        Assert.InRange(server.Store.Databases.KeyCount(0), 0, 999);
    }

    // As in Valkey these may replicate something, and so wait.
    private static bool IsPaused(string read, string state) =>
        read.Split(' ')[0] is "PFCOUNT" or "SORT" && state.StartsWith("CLIENT PAUSE", StringComparison.Ordinal);

    private static void Prepare(InProcessServer server, out string sha)
    {
        server.Call(
            "FUNCTION",
            "LOAD",
            "#!lua name=l\nserver.register_function{function_name='f',callback=function(k) return server.call('get',k[1]) end,flags={'no-writes'}}"
        );
        sha = server.Call("SCRIPT", "LOAD", "return redis.call('get',KEYS[1])").Split("\r\n")[1];
        foreach (string create in Creating)
            Assert.False(server.Call(create.Split(' ')).StartsWith('-'), create);
    }

    private static string[] Words(string read, string sha) =>
        [
            .. read.Split(' ')
                .Select(word => word == "<sha>" ? sha : word.Replace('_', word.StartsWith("return", StringComparison.Ordinal) ? ' ' : '_')),
        ];
}
