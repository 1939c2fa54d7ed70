// The tests of -t. Immutable; any thread.
namespace Garnet.Bench.Workloads;

/// <summary>
/// Those of redis-benchmark, with its keys and in its order, and more for the types that it leaves out. Tests that take elements away
/// (lpop, spop, zpopmin) find those that an earlier test added, as there; when they are used up the reply is a null, which is counted.
/// </summary>
internal static class BuiltInTests
{
    /// <summary>Stands for all tests.</summary>
    public const string All = "all";

    private static readonly Preparation FillString = new("SET key:__rand_1st__ __data__");
    private static readonly Preparation FillHash = new("HSET myhash element:__rand_1st__ __data__");
    private static readonly Preparation FillSet = new("SADD myset element:__rand_1st__");
    private static readonly Preparation FillSortedSet = new("ZADD myzset __rand_1st__ element:__rand_1st__");
    private static readonly Preparation FillList = new("LPUSH mylist:range __data__") { Times = 600 };
    private static readonly Preparation FillGeo = new("GEOADD mygeo 13.__rand_int__ 38.__rand_int__ element:__rand_int__") { Times = 1000 };
    private static readonly Preparation FillStream = new("XADD mystream:range * myfield __data__") { Times = 1000 };
    private static readonly Preparation FillLog = new("PFADD myhll element:__rand_int__") { Times = 1000 };

    /// <summary>The tests in their order.</summary>
    public static IReadOnlyList<BuiltInTest> Table { get; } =
    [
        new("ping_inline", "PING") { IsInline = true },
        new("ping_mbulk", "PING") { Aliases = ["ping"] },
        new("set", "SET key:__rand_int__ __data__"),
        new("get", "GET key:__rand_int__", FillString),
        new("incr", "INCR counter:__rand_int__"),
        new("append", "APPEND append:__rand_int__ x"),
        new("setrange", "SETRANGE key:__rand_int__ 3 xyz", FillString),
        new("getrange", "GETRANGE key:__rand_int__ 0 9", FillString),
        new("setbit", "SETBIT mybits:__rand_int__ 1000 1"),
        new("getbit", "GETBIT mybits:__rand_int__ 1000"),
        new("bitcount", "BITCOUNT key:__rand_int__", FillString),
        new("exists", "EXISTS key:__rand_int__", FillString),
        new("expire", "EXPIRE key:__rand_int__ 1000", FillString),
        new("del", "DEL key:__rand_int__"),
        new("lpush", "LPUSH mylist __data__"),
        new("rpush", "RPUSH mylist __data__"),
        new("lpop", "LPOP mylist"),
        new("rpop", "RPOP mylist"),
        new("lindex", "LINDEX mylist:range 300", FillList),
        new("lrange_100", "LRANGE mylist:range 0 99", FillList) { Aliases = ["lrange"] },
        new("lrange_300", "LRANGE mylist:range 0 299", FillList),
        new("lrange_500", "LRANGE mylist:range 0 499", FillList),
        new("lrange_600", "LRANGE mylist:range 0 599", FillList),
        new("sadd", "SADD myset element:__rand_int__"),
        new("sismember", "SISMEMBER myset element:__rand_int__", FillSet),
        new("srandmember", "SRANDMEMBER myset", FillSet),
        new("spop", "SPOP myset", FillSet),
        new("hset", "HSET myhash element:__rand_int__ __data__"),
        new("hget", "HGET myhash element:__rand_int__", FillHash),
        new("hmget", "HMGET myhash element:__rand_int__ element:__rand_int__ element:__rand_int__", FillHash),
        new("hincrby", "HINCRBY mycounters element:__rand_int__ 1"),
        new("zadd", "ZADD myzset __rand_int__ element:__rand_int__"),
        new("zscore", "ZSCORE myzset element:__rand_int__", FillSortedSet),
        new("zrank", "ZRANK myzset element:__rand_int__", FillSortedSet),
        new("zrange", "ZRANGE myzset 0 99", FillSortedSet),
        new("zincrby", "ZINCRBY myzset 1 element:__rand_int__", FillSortedSet),
        new("zpopmin", "ZPOPMIN myzset", FillSortedSet),
        new("mset", "MSET" + string.Concat(Enumerable.Repeat(" key:__rand_int__ __data__", 10))) { Aliases = ["mset_10"] },
        new("mget", "MGET" + string.Concat(Enumerable.Repeat(" key:__rand_int__", 10)), FillString) { Aliases = ["mget_10"] },
        new("xadd", "XADD mystream MAXLEN ~ 100000 * myfield __data__"),
        new("xrange", "XRANGE mystream:range - + COUNT 10", FillStream),
        new("geoadd", "GEOADD mygeo 13.__rand_int__ 38.__rand_int__ element:__rand_int__"),
        new("geosearch", "GEOSEARCH mygeo FROMLONLAT 13.05 38.05 BYRADIUS 10 km COUNT 10", FillGeo),
        new("pfadd", "PFADD myhll element:__rand_int__"),
        new("pfcount", "PFCOUNT myhll", FillLog),
        new("publish", "PUBLISH mychannel __data__"),
        new("eval", "EVAL \"return redis.call('GET',KEYS[1])\" 1 key:__rand_int__", FillString),
    ];

    /// <summary>The test with a name, or null.</summary>
    public static BuiltInTest? Find(string name) =>
        Table.FirstOrDefault(test =>
            test.Name.Equals(name, StringComparison.OrdinalIgnoreCase) || test.Aliases.Contains(name, StringComparer.OrdinalIgnoreCase)
        );
}
