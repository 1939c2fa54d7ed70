// The techniques of scripts in well-known client libraries: locks that can be taken again, locks with an expiry, and queues of jobs that
// are due. The scripts are written for these tests. Each test has its own server.
using System.Globalization;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Scripting;

public sealed class LibraryScriptTests : IDisposable
{
    // A hash holds the owner and how often it has taken the lock; others get the time that is left.
    private const string TakeAgain = """
        local isFree = redis.call('exists', KEYS[1]) == 0
        if isFree or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
            redis.call('hincrby', KEYS[1], ARGV[2], 1)
            redis.call('pexpire', KEYS[1], ARGV[1])
            return nil
        end
        return redis.call('pttl', KEYS[1])
        """;

    // The last release removes the lock and tells those who wait.
    private const string Release = """
        if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then return nil end
        if redis.call('hincrby', KEYS[1], ARGV[2], -1) > 0 then
            redis.call('pexpire', KEYS[1], ARGV[1])
            return 0
        end
        redis.call('del', KEYS[1])
        redis.call('publish', KEYS[2], 'free')
        return 1
        """;

    private const string Extend =
        "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end return redis.call('pexpire', KEYS[1], ARGV[2])";

    private const string Unlock = "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end return redis.call('del', KEYS[1])";

    // The job that is due next leaves the schedule for its queue.
    private const string TakeDue = """
        local due = redis.call('zrange', KEYS[1], '-inf', ARGV[1], 'byscore', 'limit', 0, 1)
        if not due[1] then return false end
        redis.call('zrem', KEYS[1], due[1])
        local job = cjson.decode(due[1])
        job.enqueued = tonumber(ARGV[1])
        redis.call('lpush', 'queue:' .. job.queue, cjson.encode(job))
        return job.id
        """;

    private readonly TestServer _server = TestServer.Start();

    [Fact]
    public void A_lock_can_be_taken_again_by_its_owner_only()
    {
        using RespExchange one = _server.Connect();
        using RespExchange other = _server.Connect();
        other.Execute("SUBSCRIBE", "lock:channel");
        Assert.Equal("$-1\r\n", Eval(one, TakeAgain, ["lock"], "60000", "one:1"));
        Assert.Equal("$-1\r\n", Eval(one, TakeAgain, ["lock"], "60000", "one:1"));
        string left = Eval(one, TakeAgain, ["lock"], "60000", "other:1");
        Assert.InRange(long.Parse(left[1..^2], CultureInfo.InvariantCulture), 1, 60000);
        Assert.Equal("$-1\r\n", Eval(one, Release, ["lock", "lock:channel"], "60000", "other:1"));
        Assert.Equal(":0\r\n", Eval(one, Release, ["lock", "lock:channel"], "60000", "one:1"));
        Assert.Equal("$1\r\n1\r\n", one.ExecuteText("HGET", "lock", "one:1"));
        Assert.Equal(":1\r\n", Eval(one, Release, ["lock", "lock:channel"], "60000", "one:1"));
        Assert.Equal("*3\r\n$7\r\nmessage\r\n$12\r\nlock:channel\r\n$4\r\nfree\r\n"u8.ToArray(), other.ReadReply());
        Assert.Equal(":0\r\n", one.ExecuteText("EXISTS", "lock"));
    }

    [Fact]
    public void A_lock_with_an_expiry_is_extended_and_removed_by_the_one_who_knows_its_value()
    {
        using RespExchange client = _server.Connect();
        Assert.Equal("+OK\r\n", client.ExecuteText("SET", "lock", "mine", "NX", "PX", "60000"));
        Assert.Equal("$-1\r\n", client.ExecuteText("SET", "lock", "yours", "NX", "PX", "60000"));
        Assert.Equal(":0\r\n", Eval(client, Extend, ["lock"], "yours", "900000"));
        Assert.Equal(":1\r\n", Eval(client, Extend, ["lock"], "mine", "900000"));
        Assert.InRange(long.Parse(client.ExecuteText("PTTL", "lock")[1..^2], CultureInfo.InvariantCulture), 60001, 900000);
        Assert.Equal(":0\r\n", Eval(client, Unlock, ["lock"], "yours"));
        Assert.Equal(":1\r\n", Eval(client, Unlock, ["lock"], "mine"));
        Assert.Equal(":0\r\n", Eval(client, Unlock, ["lock"], "mine"));
    }

    [Fact]
    public async Task Each_job_that_is_due_is_taken_once()
    {
        const int Jobs = 300;
        using RespExchange client = _server.Connect();
        for (int i = 0; i < Jobs; i++)
        {
            string job = string.Create(CultureInfo.InvariantCulture, $"{{\"id\":\"{i}\",\"queue\":\"{i % 3}\"}}");
            client.Execute("ZADD", "schedule", (i < Jobs - 10 ? i : 1_000_000 + i).ToString(CultureInfo.InvariantCulture), job);
        }

        string hash = client.ExecuteText("SCRIPT", "LOAD", TakeDue).Split("\r\n")[1];
        string[][] taken = await Task.WhenAll(Enumerable.Range(0, 6).Select(_ => Task.Run(() => TakeAll(hash))));
        Assert.Equal(
            Enumerable.Range(0, Jobs - 10).Select(static i => i.ToString(CultureInfo.InvariantCulture)).Order(),
            taken.SelectMany(static each => each).Order()
        );
        Assert.Equal(":10\r\n", client.ExecuteText("ZCARD", "schedule"));
        Assert.Equal(":97\r\n", client.ExecuteText("LLEN", "queue:0"));
        Assert.Contains("\"enqueued\":5000", client.ExecuteText("LINDEX", "queue:0", "0"), StringComparison.Ordinal);
    }

    public void Dispose() => _server.Dispose();

    private string[] TakeAll(string hash)
    {
        using RespExchange worker = _server.Connect();
        List<string> taken = [];
        while (worker.ExecuteText("EVALSHA", hash, "1", "schedule", "5000") is var reply && reply != "$-1\r\n")
            taken.Add(reply.Split("\r\n")[1]);
        return [.. taken];
    }

    private static string Eval(RespExchange client, string script, string[] keys, params string[] arguments) =>
        client.ExecuteText(["EVAL", script, keys.Length.ToString(CultureInfo.InvariantCulture), .. keys, .. arguments]);
}
