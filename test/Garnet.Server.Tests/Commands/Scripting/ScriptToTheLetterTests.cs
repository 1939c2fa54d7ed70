// What scripts see of the server and what others see of scripts, in details that clients rely on. One server for each test.
using System.Globalization;
using Xunit;

namespace Garnet.Server.Tests.Commands.Scripting;

public sealed class ScriptToTheLetterTests
{
    [Theory]
    [InlineData("return select('#', unpack({}, 1, 7997))", ":7997\r\n")]
    [InlineData("local t = {} for i = 1, 7999 do t[i] = i end return select('#', unpack(t))", ":7999\r\n")]
    [InlineData(
        "local t = {} for i = 1, 8000 do t[i] = i end return select(2, pcall(function() return unpack(t) end))",
        "too many results"
    )]
    [InlineData("return select('#', (('x'):rep(7997)):byte(1, -1))", ":7997\r\n")]
    [InlineData("return select(2, pcall(function() return (('x'):rep(7998)):byte(1, -1) end))", "string slice too long")]
    [InlineData("return select('#', cmsgpack.unpack(('\\1'):rep(7999)))", ":7999\r\n")]
    [InlineData("return select(2, pcall(function() return cmsgpack.unpack(('\\1'):rep(8000)) end))", "too many return values")]
    [InlineData("return redis.call('echo', 0/0)", "$4\r\n-nan\r\n")]
    [InlineData("return redis.call('echo', -(0/0))", "$3\r\nnan\r\n")]
    public void Result_is_that_of_Valkey(string script, string expected)
    {
        using InProcessServer server = new();
        Assert.Contains(expected, server.Call("EVAL", script, "0"), StringComparison.Ordinal);
    }

    [Fact]
    public void Time_stands_still_in_scripts_and_transactions()
    {
        using InProcessServer server = new();
        string same = server.Call(
            "EVAL",
            "local a = redis.call('time') local c = os.clock() while os.clock() == c do end for i = 1, 1e5 do c = c + i end "
                + "local b = redis.call('time') return a[1] == b[1] and a[2] == b[2]",
            "0"
        );
        Assert.Equal(":1\r\n", same);
        server.Call("MULTI");
        server.Call("TIME");
        server.Call("EVAL", "for i = 1, 1e5 do local x = i end return redis.call('time')", "0");
        server.Call("TIME");
        string[] times = server.Call("EXEC").Split("*2\r\n", StringSplitOptions.RemoveEmptyEntries)[1..];
        Assert.Equal(3, times.Length);
        Assert.Single(times.Distinct());
    }

    [Fact]
    public void Denial_within_a_script_is_logged_with_its_context()
    {
        using InProcessServer server = new();
        server.Call("ACL", "SETUSER", "u", "on", "nopass", "~*", "+@all", "-get");
        InProcessClient client = server.Connect();
        client.Call("AUTH", "u", "x");
        client.Call("EVAL", "return redis.call('get', 'a')", "0");
        string log = server.Call("ACL", "LOG");
        Assert.Contains("$7\r\ncontext\r\n$3\r\nlua\r\n", log, StringComparison.Ordinal);
        Assert.Contains(" cmd=eval ", log, StringComparison.Ordinal);
    }

    [Fact]
    public void Client_list_shows_the_command_that_runs_the_script()
    {
        using InProcessServer server = new();
        server.Call("EVAL", "redis.call('set', KEYS[1], 1) return redis.call('get', KEYS[1])", "1", "k");
        Assert.Contains(" cmd=eval ", server.Connect().Call("CLIENT", "LIST"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("return 1", false)]
    [InlineData("return redis.call('get', KEYS[1])", true)]
    public void Client_tracking_enters_the_keys_that_a_script_reads(string script, bool isTracked)
    {
        using InProcessServer server = new();
        InProcessClient reader = server.Connect();
        reader.Call("HELLO", "3");
        reader.Call("CLIENT", "TRACKING", "ON");
        reader.Call("EVAL_RO", script, "1", "k");
        Assert.Contains($"tracking_total_keys:{(isTracked ? 1 : 0)}\r\n", server.Call("INFO", "stats"), StringComparison.Ordinal);
    }

    [Fact]
    public void Sort_by_a_constant_gives_a_script_a_set_in_a_defined_order()
    {
        using InProcessServer server = new();
        server.Call("SADD", "s", "pear", "apple", "fig", "plum", "kiwi");
        Assert.Equal(
            "$24\r\napple,fig,kiwi,pear,plum\r\n",
            server.Call("EVAL", "return table.concat(redis.call('sort', 's', 'by', 'nosort'), ',')", "0")
        );
    }

    [Fact]
    public void Long_source_must_fit_into_the_memory_of_scripts()
    {
        using InProcessServer server = new();
        server.Call("CONFIG", "SET", "script-memory-limit", "4mb");
        server.Call("CONFIG", "SET", "function-memory-limit", "4mb");
        string dense = string.Concat(Enumerable.Repeat("a=1 ", 100_000));
        const string Error = "not enough memory: script-memory-limit is 4194304 bytes";
        Assert.Contains(Error, server.Call("EVAL", dense, "0"), StringComparison.Ordinal);
        Assert.Contains(Error, server.Call("SCRIPT", "LOAD", dense), StringComparison.Ordinal);
        Assert.Contains(Error, server.Call("EVAL", "--" + new string('x', 5_000_000), "0"), StringComparison.Ordinal);
        Assert.Contains(
            "not enough memory: function-memory-limit is 4194304 bytes",
            server.Call("FUNCTION", "LOAD", "#!lua name=dense\n" + dense),
            StringComparison.Ordinal
        );
        // What is long but simple is no reason to refuse it.
        Assert.Equal(":1\r\n", server.Call("EVAL", "--" + new string('x', 200_000) + "\nreturn 1", "0"));
        string hash = server.Call("SCRIPT", "LOAD", "--" + new string('x', 200_000) + "\nreturn 2").Split("\r\n")[1];
        Assert.Equal(":2\r\n", server.Call("EVALSHA", hash, "0"));
    }

    // What ends every script that runs also ends the compilation of a long one; that of a short one is over before anything could.
    [Theory]
    [InlineData("EVAL")]
    [InlineData("SCRIPT")]
    public void Compilation_of_a_long_source_can_be_ended(string command)
    {
        using InProcessServer server = new();
        server.Server.Scripts.Running.EndWithServer();
        string source = string.Concat(Enumerable.Repeat("a=1 ", 100_000));
        string reply = command == "EVAL" ? server.Call("EVAL", source, "0") : server.Call("SCRIPT", "LOAD", source);
        Assert.StartsWith("-ERR The server ends.", reply, StringComparison.Ordinal);
        Assert.StartsWith("$40\r\n", server.Call("SCRIPT", "LOAD", "return 1"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("kept[#kept + 1] = assert(loadstring('return {' .. ('1,'):rep(10000) .. '}'))")]
    [InlineData("for i = 1, 2000 do kept[#kept + 1] = ('a'):gmatch('a') end")]
    [InlineData("kept[#kept + 1] = cjson.new()")]
    public void Whatever_functions_keep_counts_as_their_memory(string keep)
    {
        using InProcessServer server = new();
        server.Call("CONFIG", "SET", "function-memory-limit", "8mb");
        server.Call(
            "FUNCTION",
            "LOAD",
            $"#!lua name=lib\nlocal kept = {{}} redis.register_function('keep', function() for n = 1, 20 do {keep} end return #kept end)"
        );
        string reply = ":";
        for (int i = 0; i < 500 && reply[0] == ':'; i++)
            reply = server.Call("FCALL", "keep", "0");
        Assert.Contains("not enough memory: function-memory-limit is 8388608 bytes", reply, StringComparison.Ordinal);
    }

    [Fact]
    public void Memory_of_an_engine_is_reported_with_its_libraries()
    {
        using InProcessServer server = new();
        server.Call("EVAL", "return 1", "0");
        string info = server.Call("INFO", "memory");
        string field = info.Split("used_memory_lua:")[1].Split("\r\n")[0];
        Assert.InRange(long.Parse(field, CultureInfo.InvariantCulture), 10_000, 10_000_000);
    }
}
