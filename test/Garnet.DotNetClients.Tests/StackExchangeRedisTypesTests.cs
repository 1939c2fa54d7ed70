// StackExchange.Redis' typed calls, family by family, over both protocols. Each test has a server of its own.
using StackExchange.Redis;
using Xunit;

namespace Garnet.DotNetClients.Tests;

public sealed class StackExchangeRedisTypesTests
{
    public static TheoryData<RedisProtocol> Protocols => [RedisProtocol.Resp2, RedisProtocol.Resp3];

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Strings(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(protocol);
        IDatabase db = redis.Database;
        Assert.True(await db.StringSetAsync("k", "value", TimeSpan.FromMinutes(1)));
        Assert.Equal("value", await db.StringGetAsync("k"));
        RedisValueWithExpiry timed = await db.StringGetWithExpiryAsync("k");
        Assert.InRange(timed.Expiry!.Value, TimeSpan.FromSeconds(30), TimeSpan.FromMinutes(1));
        Assert.False(await db.StringSetAsync("k", "other", when: When.NotExists));
        Assert.Equal("value", await db.StringGetSetAsync("k", "new"));
        Assert.Equal("new", await db.StringSetAndGetAsync("k", "newer"));
        Assert.Equal(10, await db.StringAppendAsync("k", "+tail"));
        Assert.Equal("newer", await db.StringGetRangeAsync("k", 0, 4));
        Assert.Equal(10, await db.StringSetRangeAsync("k", 0, "NEW"));
        Assert.Equal("NEWer+tail", await db.StringGetDeleteAsync("k"));
        Assert.True((await db.StringGetAsync("k")).IsNull);
        Assert.Equal(5, await db.StringIncrementAsync("n", 5));
        Assert.Equal(3, await db.StringDecrementAsync("n", 2));
        Assert.Equal(3.5, await db.StringIncrementAsync("n", 0.5));
        Assert.True(await db.StringSetAsync([new("a", 1), new("b", 2)]));
        Assert.Equal([1, 2, RedisValue.Null], await db.StringGetAsync(["a", "b", "absent"]));
        Assert.False(await db.StringSetAsync([new("a", 1), new("c", 2)], When.NotExists));
        Assert.Equal(1, await db.StringGetSetExpiryAsync("a", TimeSpan.FromSeconds(10)));
        byte[] bytes = [.. Enumerable.Range(0, 256).Select(static value => (byte)value)];
        await db.StringSetAsync("binary", bytes);
        Assert.Equal(bytes, (byte[]?)await db.StringGetAsync("binary"));
        byte[] large = new byte[1 << 20];
        await db.StringSetAsync("large", large);
        using Lease<byte>? lease = await db.StringGetLeaseAsync("large");
        Assert.Equal(large.Length, lease!.Length);
        await db.StringSetAsync([new("one", "axbyc"), new("two", "aubvc")]);
        Assert.Equal("abc", await db.StringLongestCommonSubsequenceAsync("one", "two"));
        Assert.Equal(3, await db.StringLongestCommonSubsequenceLengthAsync("one", "two"));
    }

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Bits_and_HyperLogLogs(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(protocol);
        IDatabase db = redis.Database;
        Assert.False(await db.StringSetBitAsync("bits", 7, true));
        Assert.True(await db.StringGetBitAsync("bits", 7));
        Assert.Equal(1, await db.StringBitCountAsync("bits"));
        Assert.Equal(7, await db.StringBitPositionAsync("bits", true));
        Assert.Equal(1, await db.StringBitOperationAsync(Bitwise.Not, "not", "bits"));
        Assert.Equal(7, await db.StringBitCountAsync("not"));
        Assert.True(await db.HyperLogLogAddAsync("hll", ["a", "b", "c"]));
        Assert.Equal(3, await db.HyperLogLogLengthAsync("hll"));
        await db.HyperLogLogAddAsync("hll2", "d");
        await db.HyperLogLogMergeAsync("all", "hll", "hll2");
        Assert.Equal(4, await db.HyperLogLogLengthAsync("all"));
    }

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Keys(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(protocol);
        IDatabase db = redis.Database;
        await db.StringSetAsync("k", "v");
        Assert.True(await db.KeyExistsAsync("k"));
        Assert.Equal(RedisType.String, await db.KeyTypeAsync("k"));
        Assert.Equal("embstr", await db.KeyEncodingAsync("k"));
        Assert.True(await db.KeyExpireAsync("k", TimeSpan.FromMinutes(1)));
        Assert.False(await db.KeyExpireAsync("k", TimeSpan.FromMinutes(2), ExpireWhen.HasNoExpiry));
        Assert.NotNull(await db.KeyTimeToLiveAsync("k"));
        Assert.NotNull(await db.KeyExpireTimeAsync("k"));
        Assert.True(await db.KeyPersistAsync("k"));
        Assert.Null(await db.KeyTimeToLiveAsync("k"));
        byte[]? dump = await db.KeyDumpAsync("k");
        await db.KeyRestoreAsync("restored", dump!);
        Assert.Equal("v", await db.StringGetAsync("restored"));
        Assert.True(await db.KeyCopyAsync("k", "copy"));
        Assert.True(await db.KeyRenameAsync("copy", "renamed"));
        Assert.True(await db.KeyTouchAsync("renamed"));
        Assert.NotNull(await db.KeyIdleTimeAsync("renamed"));
        Assert.Equal(1, await db.KeyRefCountAsync("renamed"));
        Assert.True(await db.KeyMoveAsync("renamed", 1));
        Assert.Equal("v", await redis.Multiplexer.GetDatabase(1).StringGetAsync("renamed"));
        Assert.False((await db.KeyRandomAsync()).Equals((RedisKey)""));
        Assert.Equal(2, await db.KeyDeleteAsync(["k", "restored", "absent"]));
        await db.ListRightPushAsync("sorted", [3, 1, 2]);
        Assert.Equal([1, 2, 3], await db.SortAsync("sorted"));
        Assert.Equal(3, await db.SortAndStoreAsync("stored", "sorted", order: Order.Descending));
    }

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Lists(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(protocol);
        IDatabase db = redis.Database;
        Assert.Equal(4, await db.ListRightPushAsync("l", ["a", "b", "c", "d"]));
        Assert.Equal(5, await db.ListLeftPushAsync("l", "z"));
        Assert.Equal("z", await db.ListLeftPopAsync("l"));
        Assert.Equal(["d", "c"], await db.ListRightPopAsync("l", 2));
        Assert.Equal(3, await db.ListInsertAfterAsync("l", "a", "x"));
        Assert.Equal("x", await db.ListGetByIndexAsync("l", 1));
        await db.ListSetByIndexAsync("l", 1, "y");
        Assert.Equal(1, await db.ListPositionAsync("l", "y"));
        Assert.Equal(["a", "y", "b"], await db.ListRangeAsync("l"));
        Assert.Equal(1, await db.ListRemoveAsync("l", "y"));
        await db.ListTrimAsync("l", 0, 0);
        Assert.Equal("a", await db.ListMoveAsync("l", "m", ListSide.Left, ListSide.Right));
        Assert.Equal("a", await db.ListRightPopLeftPushAsync("m", "l"));
        ListPopResult popped = await db.ListLeftPopAsync(["absent", "l"], 5);
        Assert.Equal(("l", 1), ((string?)popped.Key, popped.Values.Length));
        Assert.Equal(0, await db.ListLengthAsync("l"));
    }

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Hashes(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(protocol);
        IDatabase db = redis.Database;
        await db.HashSetAsync("h", [new("a", 1), new("b", 2), new("c", "text")]);
        Assert.True(await db.HashSetAsync("h", "d", 4.5));
        Assert.False(await db.HashSetAsync("h", "d", 5, When.NotExists));
        Assert.Equal([1, RedisValue.Null], await db.HashGetAsync("h", ["a", "absent"]));
        Assert.Equal(4, (await db.HashGetAllAsync("h")).Length);
        Assert.Equal(3, await db.HashIncrementAsync("h", "a", 2));
        Assert.Equal(5.5, await db.HashIncrementAsync("h", "d", 1.0));
        Assert.True(await db.HashExistsAsync("h", "b"));
        Assert.Equal(4, await db.HashStringLengthAsync("h", "c"));
        Assert.Equal(4, (await db.HashKeysAsync("h")).Length);
        Assert.Equal(4, (await db.HashValuesAsync("h")).Length);
        Assert.Single(await db.HashRandomFieldsAsync("h", 1));
        Assert.Equal(4, await CountAsync(db.HashScanAsync("h", "*")));
        Assert.Equal(
            [ExpireResult.Success, ExpireResult.NoSuchField],
            await db.HashFieldExpireAsync("h", ["a", "absent"], TimeSpan.FromMinutes(1))
        );
        Assert.InRange((await db.HashFieldGetTimeToLiveAsync("h", ["a"]))[0], 1, 60_000);
        Assert.Equal([PersistResult.Success], await db.HashFieldPersistAsync("h", ["a"]));
        Assert.True(await db.HashDeleteAsync("h", "a"));
        Assert.Equal(3, await db.HashLengthAsync("h"));
    }

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Sets(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(protocol);
        IDatabase db = redis.Database;
        Assert.Equal(3, await db.SetAddAsync("s", ["a", "b", "c"]));
        await db.SetAddAsync("t", ["b", "c", "d"]);
        Assert.True(await db.SetContainsAsync("s", "a"));
        bool[] contained = await db.SetContainsAsync("s", ["a", "z"]);
        Assert.Equal([true, false], contained);
        Assert.Equal(2, (await db.SetCombineAsync(SetOperation.Intersect, "s", "t")).Length);
        Assert.Equal(4, await db.SetCombineAndStoreAsync(SetOperation.Union, "u", "s", "t"));
        Assert.Equal(["a"], await db.SetCombineAsync(SetOperation.Difference, "s", "t"));
        Assert.Equal(2, await db.SetIntersectionLengthAsync(["s", "t"]));
        Assert.True(await db.SetMoveAsync("s", "t", "a"));
        Assert.Equal(4, (await db.SetMembersAsync("t")).Length);
        Assert.Equal(4, await CountAsync(db.SetScanAsync("t")));
        Assert.False((await db.SetRandomMemberAsync("t")).IsNull);
        Assert.Equal(2, (await db.SetPopAsync("t", 2)).Length);
        Assert.Equal(2, await db.SetLengthAsync("t"));
        Assert.True(await db.SetRemoveAsync("s", "b"));
    }

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Sorted_sets(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(protocol);
        IDatabase db = redis.Database;
        Assert.Equal(3, await db.SortedSetAddAsync("z", [new("a", 1), new("b", 2), new("c", 3)]));
        Assert.True(await db.SortedSetUpdateAsync("z", "a", 1.5));
        Assert.Equal(2.5, await db.SortedSetIncrementAsync("z", "a", 1));
        Assert.Equal(1, await db.SortedSetRankAsync("z", "a"));
        Assert.Equal(0, await db.SortedSetRankAsync("z", "c", Order.Descending));
        Assert.Equal(["b", "a", "c"], await db.SortedSetRangeByRankAsync("z"));
        Assert.Equal([new SortedSetEntry("a", 2.5), new SortedSetEntry("c", 3)], await db.SortedSetRangeByScoreWithScoresAsync("z", 2.1));
        await db.SortedSetAddAsync("lex", [new("a", 0), new("b", 0), new("c", 0)]);
        Assert.Equal(["b", "c"], await db.SortedSetRangeByValueAsync("lex", "b"));
        Assert.Equal(2, await db.SortedSetRangeAndStoreAsync("z", "part", 0, 1));
        Assert.Equal([2.5, null], await db.SortedSetScoresAsync("z", ["a", "absent"]));
        Assert.Equal(3, await db.SortedSetCombineAndStoreAsync(SetOperation.Union, "sum", ["z", "lex"], [1, 2]));
        Assert.Equal(3, await db.SortedSetIntersectionLengthAsync(["z", "lex"]));
        Assert.Equal("b", (await db.SortedSetPopAsync("z"))!.Value.Element);
        SortedSetPopResult popped = await db.SortedSetPopAsync(["absent", "z"], 5);
        Assert.Equal(2, popped.Entries.Length);
        Assert.Equal(3, await CountAsync(db.SortedSetScanAsync("lex")));
        Assert.Equal(2, (await db.SortedSetRandomMembersAsync("lex", 2)).Length);
        Assert.Equal(1, await db.SortedSetRemoveRangeByRankAsync("lex", 0, 0));
        Assert.Equal(2, await db.SortedSetLengthAsync("lex"));
    }

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Geospatial(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(protocol);
        IDatabase db = redis.Database;
        await db.GeoAddAsync("cities", [new(13.361389, 38.115556, "Palermo"), new(15.087269, 37.502669, "Catania")]);
        Assert.InRange((await db.GeoDistanceAsync("cities", "Palermo", "Catania", GeoUnit.Kilometers))!.Value, 166, 167);
        Assert.Equal("sqc8b49rny0", await db.GeoHashAsync("cities", "Palermo"));
        Assert.InRange((await db.GeoPositionAsync("cities", "Palermo"))!.Value.Longitude, 13.36, 13.37);
        GeoRadiusResult[] near = await db.GeoSearchAsync(
            "cities",
            15,
            37,
            new GeoSearchCircle(200, GeoUnit.Kilometers),
            options: GeoRadiusOptions.WithDistance
        );
        Assert.Equal(2, near.Length);
        Assert.Equal(1, await db.GeoSearchAndStoreAsync("cities", "found", "Catania", new GeoSearchBox(10, 10, GeoUnit.Kilometers)));
    }

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Streams(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(protocol);
        IDatabase db = redis.Database;
        RedisValue first = await db.StreamAddAsync("stream", "f", "1");
        await db.StreamAddAsync("stream", [new("f", "2"), new("g", "3")], maxLength: 100);
        Assert.Equal(2, await db.StreamLengthAsync("stream"));
        Assert.Equal(2, (await db.StreamRangeAsync("stream")).Length);
        Assert.Single(await db.StreamReadAsync("stream", first));
        Assert.True(await db.StreamCreateConsumerGroupAsync("stream", "group", "0-0"));
        StreamEntry[] read = await db.StreamReadGroupAsync("stream", "group", "one", ">", count: 10);
        Assert.Equal(2, read.Length);
        Assert.Equal(2, (await db.StreamPendingAsync("stream", "group")).PendingMessageCount);
        Assert.Equal(2, (await db.StreamPendingMessagesAsync("stream", "group", 10, "one")).Length);
        Assert.Equal(1, await db.StreamAcknowledgeAsync("stream", "group", read[0].Id));
        Assert.Single(await db.StreamClaimAsync("stream", "group", "two", 0, [read[1].Id]));
        Assert.Single((await db.StreamAutoClaimAsync("stream", "group", "three", 0, "0-0")).ClaimedEntries);
        Assert.Equal(3, (await db.StreamConsumerInfoAsync("stream", "group")).Length);
        Assert.Equal("group", (await db.StreamGroupInfoAsync("stream"))[0].Name);
        Assert.Equal(2, (await db.StreamInfoAsync("stream")).Length);
        Assert.Equal(1, await db.StreamTrimAsync("stream", 1));
        Assert.Equal(1, await db.StreamDeleteAsync("stream", [read[1].Id]));
        Assert.True(await db.StreamDeleteConsumerGroupAsync("stream", "group"));
    }

    private static async Task<int> CountAsync<T>(IAsyncEnumerable<T> items)
    {
        int count = 0;
        await foreach (T _ in items)
            count++;
        return count;
    }
}
