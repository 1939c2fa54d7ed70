// Sidekiq's scripts by what they call: jobs that are due leave a sorted set one by one. The script is written for this test. Each test has
// its own server.
using System.Globalization;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Scripting;

public sealed class SidekiqScriptTests : IDisposable
{
    // Sidekiq's scheduler asks for the first job that is due, removes it from the schedule, and pushes it to its queue itself.
    private const string TakeDue = """
        local schedule, now = KEYS[1], ARGV[1]
        local due = redis.call("zrange", schedule, "-inf", now, "byscore", "limit", 0, 1)
        if due[1] then
          redis.call("zrem", schedule, due[1])
          return due[1]
        end
        """;

    // Older releases use the command that ZRANGE has replaced.
    private const string TakeDueAsBefore = """
        local schedule, now = KEYS[1], ARGV[1]
        local due = redis.call("zrangebyscore", schedule, "-inf", now, "limit", 0, 1)
        if due[1] then
          redis.call("zrem", schedule, due[1])
          return due[1]
        end
        """;

    private readonly TestServer _server = TestServer.Start();

    [Theory]
    [InlineData(TakeDue)]
    [InlineData(TakeDueAsBefore)]
    public async Task Each_job_that_is_due_is_taken_once(string script)
    {
        const int Jobs = 300;
        using RespExchange client = _server.Connect();
        for (int i = 0; i < Jobs; i++)
        {
            string due = i < Jobs - 10 ? $"{i}.25" : $"{1_000_000 + i}";
            client.Execute("ZADD", "schedule", due, $"{{\"class\":\"Job\",\"args\":[{i}],\"queue\":\"q{i % 3}\",\"jid\":\"{i}\"}}");
        }

        string hash = client.ExecuteText("SCRIPT", "LOAD", script).Split("\r\n")[1];
        string[][] taken = await Task.WhenAll(Enumerable.Range(0, 6).Select(_ => Task.Run(() => TakeAll(hash))));
        Assert.Equal(
            Enumerable.Range(0, Jobs - 10).Select(static i => i.ToString(CultureInfo.InvariantCulture)).Order(),
            taken.SelectMany(static each => each).Order()
        );
        Assert.Equal(":10\r\n", client.ExecuteText("ZCARD", "schedule"));
    }

    // Its client sends the hash, and loads the script when the server does not know it, as after a restart.
    [Fact]
    public void A_script_that_the_server_has_forgotten_is_loaded_again()
    {
        using RespExchange client = _server.Connect();
        string hash = client.ExecuteText("SCRIPT", "LOAD", TakeDue).Split("\r\n")[1];
        Assert.Equal("+OK\r\n", client.ExecuteText("SCRIPT", "FLUSH"));
        Assert.StartsWith("-NOSCRIPT", client.ExecuteText("EVALSHA", hash, "1", "schedule", "5"), StringComparison.Ordinal);
        Assert.Equal($"$40\r\n{hash}\r\n", client.ExecuteText("SCRIPT", "LOAD", TakeDue));
        Assert.Equal("$-1\r\n", client.ExecuteText("EVALSHA", hash, "1", "schedule", "5"));
    }

    public void Dispose() => _server.Dispose();

    private string[] TakeAll(string hash)
    {
        using RespExchange worker = _server.Connect();
        List<string> taken = [];
        while (worker.ExecuteText("EVALSHA", hash, "1", "schedule", "5000.5") is var reply && reply != "$-1\r\n")
            taken.Add(reply.Split("\"jid\":\"")[1].Split('"')[0]);
        return [.. taken];
    }
}
