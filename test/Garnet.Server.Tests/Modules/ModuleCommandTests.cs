// Commands of modules: arguments, keys, replies, effects and faults.
using System.Globalization;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Modules;

public sealed class ModuleCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true, extensions: ModuleServer.With(typeof(Counters)));

    public void Dispose() => _server.Dispose();

    [Fact]
    public void A_field_is_read_as_by_HGET()
    {
        Assert.Equal("$-1\r\n", _server.Call("CNT.GET", "k", "f"));
        _server.Call("HSET", "k", "f", "v", "n", "12");
        Assert.Equal("$1\r\nv\r\n", _server.Call("cnt.get", "k", "f"));
        Assert.Equal("$2\r\n12\r\n", _server.Call("CNT.GET", "k", "n"));
        Assert.Equal("$-1\r\n", _server.Call("CNT.GET", "k", "other"));
        string value = new('v', 100_000);
        _server.Call("HSET", "k", "long", value);
        Assert.Equal($"$100000\r\n{value}\r\n", _server.Call("CNT.GET", "k", "long"));
        _server.Call("SET", "s", "1");
        Assert.Equal("-WRONGTYPE Operation against a key holding the wrong kind of value\r\n", _server.Call("CNT.GET", "s", "f"));
        Assert.Contains("keyspace_hits:5\r\nkeyspace_misses:1\r\n", _server.Call("INFO", "stats"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_field_is_incremented_and_the_call_is_its_effect()
    {
        Assert.Equal(":5\r\n", _server.Call("CNT.INCR", "k", "f", "5"));
        Assert.Equal(":-2\r\n", _server.Call("CNT.INCR", "k", "f", "-7"));
        Assert.Equal("-ERR value is not an integer or out of range\r\n", _server.Call("CNT.INCR", "k", "f", "x"));
        Assert.Equal("-ERR wrong number of arguments for 'cnt.incr' command\r\n", _server.Call("CNT.INCR", "k", "f"));
        _server.Call("HSET", "k", "text", "abc");
        Assert.Equal("-ERR the counter is no integer or would overflow\r\n", _server.Call("CNT.INCR", "k", "text", "1"));
        _server.Call("SET", "s", "1");
        Assert.StartsWith("-WRONGTYPE", _server.Call("CNT.INCR", "s", "f", "1"), StringComparison.Ordinal);
        Assert.Equal(["CNT.INCR k f 5", "CNT.INCR k f -7", "HSET k text abc", "SET s 1"], _server.Effects.Take());
    }

    [Fact]
    public void Options_have_defaults_and_any_order()
    {
        _server.Call("HSET", "source", "a", "1", "b", "2");
        _server.Call("HSET", "target", "a", "9");
        Assert.Equal(":1\r\n", _server.Call("CNT.MERGE", "target", "source", "KEEP"));
        Assert.Equal("$1\r\n9\r\n", _server.Call("HGET", "target", "a"));
        Assert.Equal(":2\r\n", _server.Call("CNT.MERGE", "target", "source", "note", "hello", "SCALE", "2.5"));
        Assert.Equal("$3\r\n2.5\r\n", _server.Call("HGET", "target", "a"));
        Assert.Equal("$5\r\nhello\r\n", _server.Call("HGET", "target", "note"));
        Assert.Equal("-ERR syntax error\r\n", _server.Call("CNT.MERGE", "target", "source", "SCALE"));
        Assert.Equal("-ERR syntax error\r\n", _server.Call("CNT.MERGE", "target", "source", "OTHER"));
        Assert.Equal("-ERR value is not a valid float\r\n", _server.Call("CNT.MERGE", "target", "source", "SCALE", "nan"));
    }

    // Source and target are one hash, so that each value is a part of what is changed.
    [Theory]
    [InlineData(10)]
    [InlineData(5000)]
    public void Values_that_were_read_may_be_written(int fields)
    {
        for (int i = 0; i < fields; i++)
            _server.Call("HSET", "k", $"field{i}", $"value{i}");
        Assert.Equal($":{fields}\r\n", _server.Call("CNT.MERGE", "copy", "k"));
        for (int i = 0; i < fields; i++)
            Assert.Equal(_server.Call("HGET", "k", $"field{i}"), _server.Call("HGET", "copy", $"field{i}"));
    }

    [Fact]
    public void Collections_are_read_and_changed()
    {
        _server.Call("RPUSH", "l", "a", "b", "c");
        Assert.Equal("*4\r\n:3\r\n:3\r\n$1\r\nc\r\n$1\r\n2\r\n", _server.Call("CNT.MOVE", "l", "s", "z"));
        Assert.Equal(":0\r\n", _server.Call("EXISTS", "l"));
        Assert.Equal(":3\r\n", _server.Call("SCARD", "s"));
        Assert.Equal("*3\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n", _server.Call("ZRANGE", "z", "0", "-1"));
        Assert.Equal("*4\r\n:3\r\n:3\r\n$1\r\nc\r\n$1\r\n2\r\n", _server.Call("CNT.MOVE", "l", "s", "z"));
        Assert.StartsWith("-WRONGTYPE", _server.Call("CNT.MOVE", "s", "l", "z"), StringComparison.Ordinal);
        Assert.Equal("CNT.MOVE l s z", _server.Effects.Take()[1]);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(3000)]
    public void An_element_may_be_added_to_its_own_list(int elements)
    {
        for (int i = 0; i < elements; i++)
            _server.Call("RPUSH", "l", $"element {i}");
        Assert.Equal($":{2 * elements}\r\n", _server.Call("CNT.DOUBLE", "l"));
        Assert.Equal(_server.Call("LINDEX", "l", "1"), _server.Call("LINDEX", "l", "0"));
        for (int i = 1; i < elements; i += 7)
            Assert.Equal(_server.Call("LINDEX", "l", $"{i}"), _server.Call("LINDEX", "l", $"{elements + i}"));
    }

    [Fact]
    public void Methods_may_belong_to_the_instance()
    {
        Assert.Equal("+OK\r\n", _server.Call("CNT.PREFIX", "s", "abc"));
        Assert.Equal("$5\r\np:abc\r\n", _server.Call("GET", "s"));
    }

    [Fact]
    public void Replies_follow_the_protocol_version()
    {
        Assert.Equal("*4\r\n$5\r\ncount\r\n:2\r\n$3\r\nsum\r\n$3\r\n3.5\r\n", _server.Call("CNT.SUM", "0", "1", "2.5"));
        InProcessClient resp3 = _server.Connect(protocolVersion: 3);
        Assert.Equal("%2\r\n$5\r\ncount\r\n:0\r\n$3\r\nsum\r\n,7\r\n", resp3.Call("CNT.SUM", "7"));
        Assert.StartsWith("*5\r\n:", resp3.Call("CNT.ME"), StringComparison.Ordinal);
        Assert.EndsWith("\r\n$7\r\ndefault\r\n:0\r\n:3\r\n", resp3.Call("CNT.ME"), StringComparison.Ordinal);
    }

    [Fact]
    public void The_time_is_the_servers()
    {
        _server.Clock.Advance(TimeSpan.FromHours(1));
        Assert.Contains(":" + _server.NowMs.ToString(CultureInfo.InvariantCulture), _server.Call("CNT.ME"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("none", "-ERR the command 'cnt.fault' did not reply\r\n", 1)]
    [InlineData("half", "*2\r\n:1\r\n-ERR the command 'cnt.fault' did not reply\r\n", 1)]
    [InlineData("throw", "*2\r\n:1\r\n-ERR FormatException in command 'cnt.fault': as asked  for\r\n", 1)]
    [InlineData("twice", "*2\r\n:1\r\n:2\r\n", 1)]
    public void A_fault_is_one_reply_and_what_was_changed_stays(string kind, string reply, int faults)
    {
        Assert.Equal(reply, _server.Call("CNT.FAULT", "k", kind));
        Assert.Equal("$7\r\nchanged\r\n", _server.Call("GET", "k"));
        Assert.Equal([$"CNT.FAULT k {kind}"], _server.Effects.Take());
        Assert.Equal(faults, _server.Server.Modules.All[0].Exceptions);
        Assert.Equal("+PONG\r\n", _server.Call("PING"));
    }

    [Fact]
    public void A_command_that_reads_cannot_write()
    {
        Assert.StartsWith(
            "-ERR InvalidOperationException in command 'cnt.sneak'",
            _server.Call("CNT.SNEAK", "k"),
            StringComparison.Ordinal
        );
        Assert.Equal(":0\r\n", _server.Call("EXISTS", "k"));
    }

    [Fact]
    public void The_command_is_described()
    {
        Assert.Equal("*1\r\n$1\r\na\r\n", _server.Call("COMMAND", "GETKEYS", "CNT.INCR", "a", "f", "1"));
        Assert.Equal("*2\r\n$1\r\na\r\n$1\r\nb\r\n", _server.Call("COMMAND", "GETKEYS", "CNT.MERGE", "a", "b", "KEEP"));
        Assert.StartsWith(
            "*1\r\n*10\r\n$7\r\ncnt.get\r\n:3\r\n*3\r\n+readonly\r\n+fast\r\n+module\r\n:1\r\n:1\r\n:1\r\n",
            _server.Call("COMMAND", "INFO", "CNT.GET"),
            StringComparison.Ordinal
        );
        string docs = _server.Call("COMMAND", "DOCS", "CNT.GET");
        Assert.Contains(
            "$7\r\nsummary\r\n$23\r\nReplies with a counter.\r\n$5\r\nsince\r\n$5\r\n1.2.0\r\n",
            docs,
            StringComparison.Ordinal
        );
        Assert.Contains("$5\r\ngroup\r\n$6\r\nmodule\r\n$6\r\nmodule\r\n$8\r\ncounters\r\n", docs, StringComparison.Ordinal);
        Assert.Contains("cnt.get", _server.Call("COMMAND", "LIST", "FILTERBY", "MODULE", "counters"), StringComparison.Ordinal);
        Assert.Equal("*0\r\n", _server.Call("COMMAND", "LIST", "FILTERBY", "MODULE", "other"));
    }

    [Fact]
    public void Users_need_permission()
    {
        Assert.Equal("+OK\r\n", _server.Call("ACL", "SETUSER", "u", "on", "nopass", "~a*", "+cnt.get", "+@write"));
        InProcessClient user = _server.Connect();
        Assert.Equal("+OK\r\n", user.Call("AUTH", "u", "any"));
        Assert.Equal("$-1\r\n", user.Call("CNT.GET", "a", "f"));
        Assert.StartsWith("-NOPERM", user.Call("CNT.GET", "b", "f"), StringComparison.Ordinal);
        Assert.Equal(":1\r\n", user.Call("CNT.INCR", "a", "f", "1"));
        Assert.StartsWith("-NOPERM", user.Call("CNT.SUM", "1"), StringComparison.Ordinal);
    }

    [Fact]
    public void Transactions_and_scripts_run_it()
    {
        _server.Call("MULTI");
        _server.Call("CNT.INCR", "k", "f", "1");
        _server.Call("CNT.GET", "k", "f");
        Assert.Equal("*2\r\n:1\r\n$1\r\n1\r\n", _server.Call("EXEC"));
        Assert.Equal(":3\r\n", _server.Call("EVAL", "return server.call('CNT.INCR', KEYS[1], 'f', 2)", "1", "k"));
        Assert.Equal(["CNT.INCR k f 1", "CNT.INCR k f 2"], _server.Effects.Take());
    }

    [Fact]
    public void Commands_allocate_nothing()
    {
        _server.Call("HSET", "k", "f", "value");
        Allocations.AssertNone(_server, "CNT.GET k f");
        Allocations.AssertNone(_server, "CNT.GET k missing");
        using InProcessServer silent = new(extensions: ModuleServer.With(typeof(Counters)));
        Allocations.AssertNone(silent, "CNT.INCR k f 1");
        Allocations.AssertNone(silent, "CNT.MERGE k k KEEP SCALE 2");
    }

    [Fact]
    public async Task A_command_that_runs_too_long_is_asked_to_stop()
    {
        _server.Call("CONFIG", "SET", "busy-reply-threshold", "1000");
        Task<string> spinning = Task.Run(() => _server.Connect().Call("CNT.SPIN"));
        _server.AwaitInTime(() => spinning.IsCompleted);
        Assert.Equal("-ERR stopped\r\n", await spinning);
        Assert.Equal(1, _server.Server.Modules.All[0].Overruns);
        Assert.Contains("overruns=1", _server.Call("INFO", "modules"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_taken_name_is_refused()
    {
        InvalidOperationException twice = Assert.Throws<InvalidOperationException>(() =>
            new InProcessServer(extensions: ModuleServer.With(typeof(Counters), typeof(Counters)))
        );
        Assert.Equal("a module named 'counters' is loaded already", twice.Message);
        InvalidOperationException taken = Assert.Throws<InvalidOperationException>(() =>
            new InProcessServer(extensions: ModuleServer.With(typeof(Counters), typeof(CountersAgain)))
        );
        Assert.Equal("command 'cnt.get' is registered twice", taken.Message);
    }
}
