// EVAL, its relatives and SCRIPT: replies, effects, limits.
using System.Diagnostics;
using System.Globalization;
using System.Reflection;
using System.Text;
using Garnet.Server.Composition;
using Xunit;

namespace Garnet.Server.Tests.Commands.Scripting;

public sealed class EvalCommandTests
{
    // Pairs of lines: a request, and what Valkey 9.1 replied to it; * where the replies may differ.
    [Fact]
    public void Replies_are_those_of_Valkey()
    {
        string[] lines = File.ReadAllLines(Path.Combine(AppContext.BaseDirectory, "Commands", "Scripting", "recorded.tsv"));
        using InProcessServer server = new();
        for (int i = 0; i + 1 < lines.Length; i += 2)
        {
            string[] request = [.. lines[i].Split('\t').Select(Unescape)];
            string reply = server.Call(request);
            Assert.True(lines[i + 1] == "*" || Unescape(lines[i + 1]) == reply, $"{lines[i]}: expected {lines[i + 1]}, was {reply}");
        }
    }

    [Fact]
    public void Effects_of_a_script_are_one_group_and_none_if_it_changed_nothing()
    {
        using InProcessServer server = new(recordEffects: true);
        server.Call("EVAL", "redis.call('set','a',1) redis.call('incr','a') return redis.call('get','a')", "0");
        Assert.Equal(["MULTI; set a 1; incr a; EXEC"], server.Effects.Take());
        server.Call("EVAL", "return redis.call('get','a')", "0");
        Assert.Empty(server.Effects.Take());
        server.Call("EVAL", "return redis.call('set','b',1)", "1", "b");
        Assert.Equal(["set b 1"], server.Effects.Take());
        server.Call("EVAL", "redis.call('set','c',1) error('after a write')", "0");
        Assert.Equal(["set c 1"], server.Effects.Take());
    }

    [Fact]
    public void Effects_name_the_databases_that_a_script_selects()
    {
        using InProcessServer server = new(recordEffects: true);
        server.Call("EVAL", "redis.call('select',1) redis.call('set','a',1) redis.call('select',0) redis.call('set','b',2)", "0");
        Assert.Equal(["MULTI; SELECT 1; set a 1; SELECT 0; set b 2; EXEC"], server.Effects.Take());
        server.Call("EVAL", "redis.call('select',2) return redis.call('set','a',1)", "0");
        Assert.Equal(["MULTI; SELECT 2; set a 1; SELECT 0; EXEC"], server.Effects.Take());
        Assert.Equal("$1\r\n2\r\n", server.Call("GET", "b"));
        server.Call("EVAL", "return redis.call('select',3)", "0");
        Assert.Empty(server.Effects.Take());
    }

    [Fact]
    public void Effects_can_be_switched_off()
    {
        using InProcessServer server = new(recordEffects: true);
        server.Call(
            "EVAL",
            "redis.set_repl(redis.REPL_NONE) redis.call('set','a',1) redis.set_repl(redis.REPL_ALL) redis.call('set','b',1)",
            "0"
        );
        Assert.Equal(["set b 1"], server.Effects.Take());
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "a"));
    }

    [Fact]
    public void A_script_inside_a_transaction_adds_to_its_group()
    {
        using InProcessServer server = new(recordEffects: true);
        server.Call("MULTI");
        server.Call("SET", "a", "1");
        server.Call("EVAL", "redis.call('incr','a') return redis.call('incr','a')", "1", "a");
        Assert.Equal("*2\r\n+OK\r\n:3\r\n", server.Call("EXEC"));
        Assert.Equal(["MULTI; SET a 1; incr a; incr a; EXEC"], server.Effects.Take());
    }

    [Theory]
    [InlineData("while true do end")]
    [InlineData("while true do pcall(function() while true do end end) end")]
    [InlineData("coroutine.wrap(function() while true do redis.pcall('get', 'a') end end)()")]
    [InlineData("table.sort({3, 2, 1}, function() while true do end end)")]
    [Trait("Values", "InMemory")]
    public async Task An_endless_script_is_killed_and_others_are_served_then(string script)
    {
        using InProcessServer server = new(options => options.BusyReplyThreshold = TimeSpan.FromMilliseconds(1), recordEffects: true);
        InProcessClient caller = server.Connect();
        Task<string> reply = Task.Run(() => caller.Call("EVAL", script, "0"));
        AwaitBusy(server);
        Assert.StartsWith("-BUSY ", server.Call("FUNCTION", "STATS"), StringComparison.Ordinal);
        Assert.StartsWith("-BUSY ", server.Call("FUNCTION", "KILL"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", server.Call("SCRIPT", "KILL"));
        Assert.StartsWith("-ERR Script killed by user with SCRIPT KILL.", await reply, StringComparison.Ordinal);
        Assert.Equal("+PONG\r\n", server.Call("PING"));
        Assert.Equal(":1\r\n", caller.Call("EVAL", "return 1", "0"));
        Assert.Contains("errorstat_BUSY:count=", server.Call("INFO", "errorstats"), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Values", "InMemory")]
    public async Task An_endless_function_is_shown_and_killed_by_its_own_command()
    {
        using InProcessServer server = new(options => options.BusyReplyThreshold = TimeSpan.FromMilliseconds(1), recordEffects: true);
        const string Library = "#!lua name=lib\nserver.register_function('endless', function() while true do end end)";
        Assert.Equal("$3\r\nlib\r\n", server.Call("FUNCTION", "LOAD", Library));
        InProcessClient caller = server.Connect();
        Task<string> reply = Task.Run(() => caller.Call("FCALL", "endless", "0"));
        AwaitBusy(server);
        Assert.Matches(
            @"\$4\r\nname\r\n\$7\r\nendless\r\n\$7\r\ncommand\r\n\*3\r\n\$5\r\nFCALL\r\n\$7\r\nendless\r\n"
                + @"\$1\r\n0\r\n\$11\r\nduration_ms\r\n:\d+\r\n",
            server.Call("FUNCTION", "STATS")
        );
        Assert.StartsWith("-BUSY ", server.Call("SCRIPT", "KILL"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", server.Call("FUNCTION", "KILL"));
        Assert.StartsWith("-ERR Script killed by user with FUNCTION KILL.", await reply, StringComparison.Ordinal);
        Assert.Equal("+PONG\r\n", server.Call("PING"));
        Assert.StartsWith("-NOTBUSY ", server.Call("FUNCTION", "KILL"), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Values", "InMemory")]
    public async Task A_script_that_has_written_ends_with_the_server_and_has_no_effects()
    {
        using InProcessServer server = new(options => options.BusyReplyThreshold = TimeSpan.FromMilliseconds(1), recordEffects: true);
        InProcessClient caller = server.Connect();
        Task<string> reply = Task.Run(() => caller.Call("EVAL", "redis.call('set', 'a', '1') while true do end", "0"));
        AwaitBusy(server);
        Assert.StartsWith("-UNKILLABLE ", server.Call("SCRIPT", "KILL"), StringComparison.Ordinal);
        Assert.StartsWith("-BUSY ", server.Call("SHUTDOWN"), StringComparison.Ordinal);
        server.Client.Send(InProcessClient.Request("SHUTDOWN", "NOSAVE"));
        Assert.StartsWith("-ERR The server ends.", await reply, StringComparison.Ordinal);
        Assert.True(server.Server.Scripts.Running.HasAborted);
        Assert.Empty(server.Effects.Take());
    }

    // Whether the script has begun is not known before.
    private static void AwaitBusy(InProcessServer server)
    {
        string reply;
        do reply = server.Call("PING");
        while (reply == "+PONG\r\n");
        Assert.StartsWith("-BUSY Valkey is busy running a script. You can only call ", reply, StringComparison.Ordinal);
    }

    [Fact]
    public void A_script_that_exhausts_its_memory_gets_an_error()
    {
        using InProcessServer server = new();
        string reply = server.Call("EVAL", "local s = 'x' while true do s = s .. s end", "0");
        Assert.StartsWith("-ERR not enough memory: script-memory-limit is 268435456 bytes script: ", reply, StringComparison.Ordinal);
        Assert.Equal(":1\r\n", server.Call("EVAL", "return 1", "0"));
    }

    [Fact]
    public void The_limit_of_memory_can_be_changed()
    {
        const string Script = "return #string.rep('x', 2000000)";
        using InProcessServer server = new(options => options.ScriptMemoryLimitBytes = 1 << 20);
        Assert.StartsWith("-ERR not enough memory: script-memory-limit is 1048576 bytes", server.Call("EVAL", Script, "0"));
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "script-memory-limit", "16mb"));
        Assert.Equal(":2000000\r\n", server.Call("EVAL", Script, "0"));
    }

    [Fact]
    public void The_number_of_cached_scripts_can_be_changed()
    {
        using InProcessServer server = new(options => options.MaxCachedScripts = 2);
        foreach (string script in (string[])["return 1", "return 2", "return 3"])
            server.Call("EVAL", script, "0");
        Assert.Equal("*3\r\n:0\r\n:1\r\n:1\r\n", server.Call("SCRIPT", "EXISTS", Hash("return 1"), Hash("return 2"), Hash("return 3")));
    }

    [Fact]
    public void A_script_that_may_need_memory_is_not_queued_while_memory_is_exhausted()
    {
        const string Exhausted = "-OOM command not allowed when used memory > 'maxmemory'.\r\n";
        const string Library =
            "#!lua name=one\nredis.register_function('f', function() return 1 end) "
            + "redis.register_function{function_name='g', callback=function() return 1 end, flags={'no-writes'}}";
        using InProcessServer server = new();
        server.Call("FUNCTION", "LOAD", Library);
        server.Call("MULTI");
        server.Call("FCALL", "f", "0");
        server.Store.Budget.MaxBytes = 1;
        Assert.StartsWith("-EXECABORT Transaction discarded because of: OOM", server.Call("EXEC"), StringComparison.Ordinal);
        foreach (
            string[] request in (string[][])
                [
                    ["FCALL", "f", "0"],
                    ["EVAL", "#!lua\nreturn 1", "0"],
                ]
        )
        {
            Assert.Equal("+OK\r\n", server.Call("MULTI"));
            Assert.Equal(Exhausted, server.Call(request));
            Assert.StartsWith("-EXECABORT", server.Call("EXEC"), StringComparison.Ordinal);
        }

        Assert.Equal("+OK\r\n", server.Call("MULTI"));
        Assert.Equal("+QUEUED\r\n", server.Call("FCALL", "g", "0"));
        Assert.Equal("+QUEUED\r\n", server.Call("EVAL", "return 1", "0"));
        Assert.Equal("+QUEUED\r\n", server.Call("FCALL", "none", "0"));
        Assert.Equal("*3\r\n:1\r\n:1\r\n-ERR Function not found\r\n", server.Call("EXEC"));
    }

    [Fact]
    public void Scripts_of_EVAL_are_dropped_oldest_first_and_loaded_ones_are_kept()
    {
        using InProcessServer server = new();
        server.Call("SCRIPT", "LOAD", "return 'loaded'");
        for (int i = 0; i < 501; i++)
            server.Call("EVAL", string.Create(CultureInfo.InvariantCulture, $"return {i}"), "0");
        Assert.Contains("number_of_cached_scripts:501\r\n", server.Call("INFO", "memory"), StringComparison.Ordinal);
        Assert.Contains("evicted_scripts:1\r\n", server.Call("INFO", "stats"), StringComparison.Ordinal);
        Assert.StartsWith("-NOSCRIPT", server.Call("EVALSHA", Hash("return 0"), "0"), StringComparison.Ordinal);
        Assert.Equal(":1\r\n", server.Call("EVALSHA", Hash("return 1"), "0"));
        Assert.Equal("$6\r\nloaded\r\n", server.Call("EVALSHA", Hash("return 'loaded'"), "0"));
    }

    [Fact]
    public void Errors_are_counted_once_and_for_the_command_that_failed()
    {
        using InProcessServer server = new();
        server.Call("SET", "k", "v");
        server.Call("EVAL", "return redis.call('incr','k')", "0");
        server.Call("EVAL", "return redis.call('get')", "0");
        server.Call("EVAL", "error('x')", "0");
        string errors = server.Call("INFO", "errorstats");
        Assert.Contains("errorstat_ERR:count=3\r\n", errors, StringComparison.Ordinal);
        string commands = server.Call("INFO", "commandstats");
        Assert.Matches("cmdstat_incr:calls=1,.*rejected_calls=0,failed_calls=1", commands);
        Assert.Matches("cmdstat_get:calls=0,.*rejected_calls=1,failed_calls=0", commands);
        Assert.Matches("cmdstat_eval:calls=3,.*rejected_calls=0,failed_calls=3", commands);
    }

    [Fact]
    public void What_scripts_and_functions_cost_is_summed_up_until_it_is_reset()
    {
        using InProcessServer server = new();
        server.Call("FUNCTION", "LOAD", "#!lua name=one\nredis.register_function('f', function() return 1 end)");
        for (int i = 0; i < 3; i++)
            server.Call("EVAL", "local n = 0 for i = 1, 100000 do n = n + 1 end return {n}", "0");
        server.Call("FCALL", "f", "0");
        string reply = server.Call("SCRIPT", "STATS").Replace("\r\n", " ", StringComparison.Ordinal);
        Assert.Matches(
            "^\\*2 \\*18 \\$4 name \\$40 [0-9a-f]{40} \\$4 type \\$6 script \\$5 calls :3 \\$4 usec :\\d+ \\$13 usec_per_call .* "
                + "longest_usec :\\d+ \\$12 instructions :\\d{6,7} \\$15 allocated_bytes :\\d+ \\$4 keys \\$3 any ",
            reply
        );
        Assert.Contains("$4 name $1 f $4 type $8 function $5 calls :1 ", reply, StringComparison.Ordinal);
        Assert.EndsWith("$4 keys $8 declared ", reply, StringComparison.Ordinal);
        Assert.StartsWith("*1\r\n", server.Call("SCRIPT", "STATS", "1"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", server.Call("SCRIPT", "STATS", "RESET"));
        Assert.Equal("*0\r\n", server.Call("SCRIPT", "STATS"));
        Assert.Equal("-ERR value is not an integer or out of range\r\n", server.Call("SCRIPT", "STATS", "x"));
        Assert.Equal("-ERR syntax error\r\n", server.Call("SCRIPT", "STATS", "1", "2"));
    }

    [Theory]
    [InlineData("return 1", 0)]
    [InlineData("return redis.call('get', KEYS[1])", 1)]
    [InlineData("if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0", 1)]
    [InlineData("redis.call('hset', KEYS[1], 'tokens', ARGV[1], 'at', 12.5) return redis.call('hmget', KEYS[1], 'tokens', 'at')", 1)]
    [Trait("Values", "InMemory")]
    public void Calls_allocate_nothing(string body, int keys)
    {
        // Optimized code keeps on the stack what other code allocates.
        if (typeof(RespServer).Assembly.GetCustomAttribute<DebuggableAttribute>() is { IsJITOptimizerDisabled: true })
            return;
        using InProcessServer server = new();
        string hash = server.Call("SCRIPT", "LOAD", body).Split("\r\n")[1];
        string function = body.Replace("KEYS", "k", StringComparison.Ordinal).Replace("ARGV", "a", StringComparison.Ordinal);
        server.Call(
            "FUNCTION",
            "LOAD",
            $"#!lua name=one\nlocal n = 0\nredis.register_function('f', function(k, a) n = n + 1 {function} end)"
        );
        string arguments = keys == 0 ? " 0" : " 1 key token";
        Allocations.AssertNone(server, "EVALSHA " + hash + arguments);
        Allocations.AssertNone(server, "FCALL f" + arguments);
    }

    [Fact]
    public void Large_values_reach_scripts()
    {
        using InProcessServer server = new();
        server.Call("SET", "big", new string('x', 100_000));
        Assert.Equal(":100000\r\n", server.Call("EVAL", "return #redis.call('get','big')", "0"));
        Assert.Equal(":100000\r\n", server.Call("EVAL", "return redis.call('get','big'):len()", "0"));
    }

    private static string Hash(string script) =>
        Convert.ToHexStringLower(System.Security.Cryptography.SHA1.HashData(Encoding.ASCII.GetBytes(script)));

    private static string Unescape(string text)
    {
        var result = new StringBuilder();
        for (int i = 0; i < text.Length; i++)
        {
            if (text[i] != '\\')
            {
                result.Append(text[i]);
                continue;
            }

            result.Append((char)int.Parse(text.AsSpan(i + 2, 2), NumberStyles.HexNumber, CultureInfo.InvariantCulture));
            i += 3;
        }

        return result.ToString();
    }
}
