// StackExchange.Redis' ways to run scripts, over both protocols. Each test has a server of its own.
using StackExchange.Redis;
using Xunit;

namespace Garnet.DotNetClients.Tests;

public sealed class StackExchangeRedisScriptTests
{
    public static TheoryData<RedisProtocol> Protocols => StackExchangeRedisTypesTests.Protocols;

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Scripts_by_text_and_by_hash(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(protocol);
        IDatabase db = redis.Database;
        const string Script = "return {redis.call('incrby', KEYS[1], ARGV[1]), ARGV[2], false, {ok='fine'}}";
        var parts = (RedisResult[])(await db.ScriptEvaluateAsync(Script, ["n"], [5, "text"]))!;
        Assert.Equal(5, (int)parts[0]);
        Assert.Equal("text", (string?)parts[1]);
        Assert.True(parts[2].IsNull);
        Assert.Equal("fine", (string?)parts[3]);
        byte[] hash = await redis.Admin.ScriptLoadAsync("return redis.call('get', KEYS[1])");
        Assert.Equal(5, (int)await db.ScriptEvaluateAsync(hash, ["n"]));
        Assert.Equal(5, (int)await db.ScriptEvaluateReadOnlyAsync(hash, ["n"]));
        Assert.True(await redis.Admin.ScriptExistsAsync("return redis.call('get', KEYS[1])"));
        RedisServerException refused = await Assert.ThrowsAsync<RedisServerException>(() =>
            db.ScriptEvaluateReadOnlyAsync("return redis.call('set', KEYS[1], 1)", ["n"])
        );
        Assert.Contains("Write commands are not allowed", refused.Message);
    }

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task The_client_sends_a_script_again_that_the_server_has_forgotten(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(protocol);
        const string Script = "return ARGV[1]";
        Assert.Equal("a", (string?)await redis.Database.ScriptEvaluateAsync(Script, values: ["a"]));
        await redis.Admin.ScriptFlushAsync();
        Assert.False(await redis.Admin.ScriptExistsAsync(Script));
        for (int i = 0; i < 3; i++)
            Assert.Equal("b", (string?)await redis.Database.ScriptEvaluateAsync(Script, values: ["b"]));
    }

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Prepared_scripts_take_named_parameters(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(protocol);
        IDatabase db = redis.Database;
        var compareAndSet = StackExchange.Redis.LuaScript.Prepare(
            "if redis.call('get', @key) ~= @expected then return 0 end redis.call('set', @key, @value) return 1"
        );
        await db.StringSetAsync("k", "old");
        Assert.Equal(
            0,
            (int)
                await db.ScriptEvaluateAsync(
                    compareAndSet,
                    new
                    {
                        key = (RedisKey)"k",
                        expected = "other",
                        value = "new",
                    }
                )
        );
        Assert.Equal(
            1,
            (int)
                await db.ScriptEvaluateAsync(
                    compareAndSet,
                    new
                    {
                        key = (RedisKey)"k",
                        expected = "old",
                        value = "new",
                    }
                )
        );
        LoadedLuaScript loaded = await compareAndSet.LoadAsync(redis.Admin);
        var parameters = new
        {
            key = (RedisKey)"k",
            expected = "new",
            value = 7,
        };
        Assert.Equal(1, (int)await loaded.EvaluateAsync(db, parameters));
        Assert.Equal(7, await db.StringGetAsync("k"));
    }

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Scripts_within_transactions_and_batches(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(protocol);
        ITransaction transaction = redis.Database.CreateTransaction();
        transaction.AddCondition(Condition.KeyNotExists("n"));
        Task<RedisResult> first = transaction.ScriptEvaluateAsync("return redis.call('incr', KEYS[1])", ["n"]);
        Task<RedisResult> failing = transaction.ScriptEvaluateAsync("return redis.call('lpush', KEYS[1], 1)", ["n"]);
        Assert.True(await transaction.ExecuteAsync());
        Assert.Equal(1, (int)await first);
        Assert.Contains("WRONGTYPE", (await Assert.ThrowsAsync<RedisServerException>(() => failing)).Message);
        IBatch batch = redis.Database.CreateBatch();
        Task<RedisResult>[] calls =
        [
            .. Enumerable.Range(0, 100).Select(_ => batch.ScriptEvaluateAsync("return redis.call('incr', KEYS[1])", ["n"])),
        ];
        batch.Execute();
        RedisResult[] results = await Task.WhenAll(calls);
        Assert.Equal(Enumerable.Range(2, 100), results.Select(static result => (int)result));
    }

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Functions_and_rich_replies(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(protocol);
        IDatabase db = redis.Database;
        const string Library =
            "#!lua name=app\n server.register_function('both', function(keys, args) server.call('set', keys[1], args[1])"
            + " return {keys[1], server.call('get', keys[1])} end)";
        Assert.Equal("app", (string?)await db.ExecuteAsync("FUNCTION", "LOAD", Library));
        Assert.Equal(["k", "v"], (string[])(await db.ExecuteAsync("FCALL", "both", 1, (RedisKey)"k", "v"))!);
        const string Rich = "redis.setresp(3) return redis.call('hgetall', KEYS[1])";
        await db.HashSetAsync("h", [new("a", 1), new("b", 2)]);
        var map = (await db.ScriptEvaluateAsync(Rich, ["h"])).ToDictionary();
        Assert.Equal(2, (int)map["b"]);
    }
}
