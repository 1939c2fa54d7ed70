// FUNCTION and FCALL: replies, effects, state, memory.
using System.Globalization;
using System.Text;
using Xunit;

namespace Garnet.Server.Tests.Commands.Scripting;

public sealed class FunctionCommandsTests
{
    // What FUNCTION DUMP of Valkey 9.1.2 replied for one library, and of Redis 7.0.15 for two.
    private const string ValkeyPayload =
        "f540432321"
        + "6c7561206e616d653d64310a72656469732e72656769737465725f66756e6374696f6e28226431222c66756e6374696f6e28292072657475726e203120656e6429"
        + "500085ee3b8da264531c";

    private const string Counter = """
        #!lua name=counter
        local calls = 0
        local kept = {}
        redis.register_function('count', function() calls = calls + 1 return calls end)
        redis.register_function('keep', function(keys, args) kept[#kept + 1] = ('x'):rep(tonumber(args[1])) return #kept end)
        redis.register_function('forget', function() kept = {} return #kept end)
        redis.register_function('set', function(keys, args) redis.call('set', keys[1], args[1]) return redis.call('incr', keys[1]) end)
        local function get(keys) return redis.call('get', keys[1]) end
        redis.register_function{function_name = 'get', callback = get, flags = {'no-writes'}}
        """;

    // Pairs of lines: a request, and what Valkey 9.1.2 replied to it; * where the replies may differ.
    [Fact]
    public void Libraries_change_inside_transactions()
    {
        using InProcessServer server = new();
        foreach (
            string[] change in (string[][])
                [
                    ["FUNCTION", "LOAD", "#!lua name=lib\nserver.register_function('one', function() return 1 end)"],
                    ["FUNCTION", "DELETE", "lib"],
                    ["FUNCTION", "RESTORE", "no payload"],
                    ["FUNCTION", "FLUSH"],
                ]
        )
        {
            string alone = server.Call(change);
            server.Call("FUNCTION", "FLUSH");
            if (change[1] == "DELETE")
                server.Call("FUNCTION", "LOAD", "#!lua name=lib\nserver.register_function('one', function() return 1 end)");
            Assert.Equal("+OK\r\n", server.Call("MULTI"));
            Assert.Equal("+QUEUED\r\n", server.Call("SET", "a", "1"));
            Assert.Equal("+QUEUED\r\n", server.Call(change));
            Assert.Equal("*2\r\n+OK\r\n" + alone, server.Call("EXEC"));
        }
    }

    [Fact]
    public void Replies_are_those_of_Valkey()
    {
        string[] lines = File.ReadAllLines(Path.Combine(AppContext.BaseDirectory, "Commands", "Scripting", "functions.tsv"));
        using InProcessServer server = new();
        List<string> different = [];
        for (int i = 0; i + 1 < lines.Length; i += 2)
        {
            string reply = server.Call([.. lines[i].Split('\t').Select(Unescape)]);
            if (lines[i + 1] != "*" && Sorted(Unescape(lines[i + 1])) != Sorted(reply))
                different.Add($"{lines[i]}: expected {lines[i + 1]}, was {reply}");
        }

        Assert.Empty(different);
    }

    [Fact]
    public void Changes_of_libraries_are_effects_as_they_were_sent_and_calls_are_what_they_did()
    {
        using InProcessServer server = new(recordEffects: true);
        server.Call("FUNCTION", "LOAD", "#!lua name=a\nredis.register_function('f', function() return 1 end)");
        Assert.Equal(["FUNCTION LOAD #!lua name=a\nredis.register_function('f', function() return 1 end)"], server.Effects.Take());
        server.Call("FUNCTION", "LOAD", "#!lua name=a\nredis.register_function('f', function() return 1 end)");
        server.Call("FUNCTION", "LOAD", "REPLACE", "#!lua name=a\nbad(");
        server.Call("FUNCTION", "DELETE", "b");
        server.Call("FUNCTION", "LIST");
        server.Call("FCALL", "f", "0");
        Assert.Empty(server.Effects.Take());
        server.Call("FUNCTION", "LOAD", "REPLACE", Counter);
        server.Effects.Take();
        server.Call("FCALL", "set", "1", "k", "1");
        Assert.Equal(["MULTI; set k 1; incr k; EXEC"], server.Effects.Take());
        server.Call("FUNCTION", "DELETE", "a");
        server.Call("FUNCTION", "FLUSH");
        Assert.Equal(["FUNCTION DELETE a", "FUNCTION FLUSH"], server.Effects.Take());
    }

    [Fact]
    public void Changes_of_libraries_count_as_changes()
    {
        using InProcessServer server = new();
        server.Call("FUNCTION", "LOAD", Counter);
        server.Call("FUNCTION", "LOAD", Counter);
        Assert.Contains("rdb_changes_since_last_save:1\r\n", server.Call("INFO", "persistence"), StringComparison.Ordinal);
        server.Call("FUNCTION", "DELETE", "counter");
        server.Call("FUNCTION", "FLUSH");
        Assert.Contains("rdb_changes_since_last_save:3\r\n", server.Call("INFO", "persistence"), StringComparison.Ordinal);
    }

    [Fact]
    public void What_a_library_keeps_in_local_variables_is_seen_by_all_clients()
    {
        using InProcessServer server = new();
        server.Call("FUNCTION", "LOAD", Counter);
        Assert.Equal(":1\r\n", server.Call("FCALL", "count", "0"));
        Assert.Equal(":2\r\n", server.Connect().Call("FCALL", "count", "0"));
        server.Call("FUNCTION", "LOAD", "#!lua name=other\nredis.register_function('other', function() return 1 end)");
        Assert.Equal(":3\r\n", server.Call("FCALL", "count", "0"));
        server.Call("FUNCTION", "LOAD", "REPLACE", Counter);
        Assert.Equal(":1\r\n", server.Call("FCALL", "count", "0"));
    }

    [Fact]
    public void Memory_that_libraries_keep_is_counted_and_limited()
    {
        using InProcessServer server = new();
        server.Call("FUNCTION", "LOAD", Counter);
        long used = Field(server, "used_memory");
        Assert.Equal(":1\r\n", server.Call("FCALL", "keep", "0", "20000000"));
        Assert.InRange(Field(server, "used_memory_vm_functions"), 20_000_000, 100_000_000);
        Assert.InRange(Field(server, "used_memory") - used, 20_000_000, 100_000_000);
        string reply = ":";
        for (int i = 0; i < 20 && reply[0] == ':'; i++)
            reply = server.Call("FCALL", "keep", "0", "20000000");
        Assert.StartsWith("-ERR not enough memory: function-memory-limit is 268435456 bytes", reply, StringComparison.Ordinal);
        Assert.Equal(":0\r\n", server.Call("FCALL", "forget", "0"));
        Assert.Equal(":1\r\n", server.Call("FCALL", "keep", "0", "20000000"));
        server.Call("FUNCTION", "FLUSH");
        Assert.Equal(0, Field(server, "used_memory_vm_functions"));
        Assert.Equal(0, Field(server, "used_memory_functions"));
    }

    [Fact]
    public void Libraries_and_functions_are_counted()
    {
        using InProcessServer server = new();
        server.Call("FUNCTION", "LOAD", Counter);
        Assert.Equal(1, Field(server, "number_of_libraries"));
        Assert.Equal(5, Field(server, "number_of_functions"));
        long bytes = Field(server, "used_memory_functions");
        Assert.InRange(bytes, Counter.Length, 10_000);
        server.Call("FCALL", "count", "0");
        Assert.Matches("cmdstat_fcall:calls=1,", server.Call("INFO", "commandstats"));
        Assert.Matches("cmdstat_function\\|load:calls=1,", server.Call("INFO", "commandstats"));
    }

    [Fact]
    public void An_endless_library_ends_with_an_error()
    {
        using InProcessServer server = new();
        Assert.Equal(
            "-ERR Error registering functions: FUNCTION LOAD timeout\r\n",
            server.Call("FUNCTION", "LOAD", "#!lua name=a\nwhile true do end")
        );
        Assert.Equal("*0\r\n", server.Call("FUNCTION", "LIST"));
    }

    [Fact]
    public void The_time_for_loading_can_be_changed()
    {
        using InProcessServer server = new(options => options.FunctionLoadTimeout = TimeSpan.FromMilliseconds(1));
        string library = "#!lua name=a\nfor i = 1, 30000000 do end redis.register_function('f', function() return 1 end)";
        Assert.Equal("-ERR Error registering functions: FUNCTION LOAD timeout\r\n", server.Call("FUNCTION", "LOAD", library));
        server.Call("CONFIG", "SET", "function-load-timeout", "0");
        Assert.Equal("$1\r\na\r\n", server.Call("FUNCTION", "LOAD", library));
    }

    [Fact]
    [Trait("Values", "InMemory")]
    public async Task An_endless_function_is_killed_and_its_library_goes_on()
    {
        using InProcessServer server = new(options => options.BusyReplyThreshold = TimeSpan.FromMilliseconds(1));
        server.Call(
            "FUNCTION",
            "LOAD",
            "#!lua name=a\nlocal n = 0 redis.register_function('f', function(k, a) n = n + 1 while a[1] do end return n end)"
        );
        InProcessClient caller = server.Connect();
        Task<string> reply = Task.Run(() => caller.Call("FCALL", "F", "1", "key", "argument"));
        string busy;
        do busy = server.Call("PING");
        while (busy == "+PONG\r\n");
        Assert.StartsWith("-BUSY Valkey is busy running a script. You can only call FUNCTION KILL", busy, StringComparison.Ordinal);
        Assert.Equal(busy, server.Call("FUNCTION", "LIST"));
        Assert.Equal(busy, server.Call("SCRIPT", "KILL"));
        Assert.StartsWith(
            "*4\r\n$14\r\nrunning_script\r\n*6\r\n$4\r\nname\r\n$1\r\nf\r\n$7\r\ncommand\r\n"
                + "*5\r\n$5\r\nFCALL\r\n$1\r\nF\r\n$1\r\n1\r\n$3\r\nkey\r\n$8\r\nargument\r\n$11\r\nduration_ms\r\n:",
            server.Call("FUNCTION", "STATS"),
            StringComparison.Ordinal
        );
        Assert.Equal("+OK\r\n", server.Call("FUNCTION", "KILL"));
        Assert.StartsWith("-ERR Script killed by user with FUNCTION KILL.", await reply, StringComparison.Ordinal);
        Assert.Equal(":2\r\n", server.Call("FCALL", "f", "0"));
        Assert.Contains("running_script\r\n$-1\r\n", server.Call("FUNCTION", "STATS"), StringComparison.Ordinal);
    }

    [Fact]
    public void Payloads_of_Valkey_are_restored()
    {
        using InProcessServer server = new();
        string payload = Encoding.Latin1.GetString(Convert.FromHexString(ValkeyPayload));
        Assert.Equal("+OK\r\n", server.Call("FUNCTION", "RESTORE", payload));
        Assert.Equal(":1\r\n", server.Call("FCALL", "d1", "0"));
        Assert.Equal("-ERR Library d1 already exists\r\n", server.Call("FUNCTION", "RESTORE", payload));
        Assert.Equal("+OK\r\n", server.Call("FUNCTION", "RESTORE", payload, "REPLACE"));
        Assert.Equal("-ERR DUMP payload version or checksum are wrong\r\n", server.Call("FUNCTION", "RESTORE", payload[..^1] + "x"));
    }

    [Fact]
    public void A_payload_brings_back_the_libraries_and_fails_as_a_whole()
    {
        using InProcessServer server = new();
        server.Call("FUNCTION", "LOAD", Counter);
        server.Call("FUNCTION", "LOAD", "#!lua name=b\nredis.register_function('b', function() return 'old' end)");
        string payload = Content(server.Call("FUNCTION", "DUMP"));
        string before = server.Call("FUNCTION", "LIST", "WITHCODE");
        server.Call("FUNCTION", "FLUSH");
        Assert.Equal("+OK\r\n", server.Call("FUNCTION", "RESTORE", payload));
        Assert.Equal(before, server.Call("FUNCTION", "LIST", "WITHCODE"));

        server.Call("FUNCTION", "FLUSH");
        server.Call("FUNCTION", "LOAD", "#!lua name=c\nredis.register_function('count', function() return 'mine' end)");
        Assert.Equal("-ERR Function count already exists\r\n", server.Call("FUNCTION", "RESTORE", payload, "REPLACE"));
        Assert.Equal("-ERR Function not found\r\n", server.Call("FCALL", "b", "0"));
        Assert.Equal("$4\r\nmine\r\n", server.Call("FCALL", "count", "0"));
        Assert.Equal("+OK\r\n", server.Call("FUNCTION", "RESTORE", payload, "FLUSH"));
        Assert.Equal(before, server.Call("FUNCTION", "LIST", "WITHCODE"));
    }

    [Fact]
    public void RESP3_replies_are_maps_and_sets()
    {
        using InProcessServer server = new();
        InProcessClient client = server.Connect(protocolVersion: 3);
        client.Call(
            "FUNCTION",
            "LOAD",
            "#!lua name=a\nredis.register_function{function_name='f', callback=function() return {map={a=1}} end, flags={'no-writes'}}"
        );
        Assert.Equal(
            "*1\r\n%3\r\n$12\r\nlibrary_name\r\n$1\r\na\r\n$6\r\nengine\r\n$3\r\nLUA\r\n$9\r\nfunctions\r\n*1\r\n%3\r\n$4\r\nname\r\n$1\r\nf\r\n"
                + "$11\r\ndescription\r\n_\r\n$5\r\nflags\r\n~1\r\n+no-writes\r\n",
            client.Call("FUNCTION", "LIST")
        );
        Assert.Equal("%1\r\n$1\r\na\r\n:1\r\n", client.Call("FCALL_RO", "f", "0"));
    }

    [Fact]
    public void Names_that_differ_only_in_case_are_one_name()
    {
        using InProcessServer server = new();
        Assert.Equal(
            "-ERR Function F already exists\r\n",
            server.Call(
                "FUNCTION",
                "LOAD",
                "#!lua name=a\nredis.register_function('f', function() end) redis.register_function('F', function() end)"
            )
        );
        Assert.Equal("*0\r\n", server.Call("FUNCTION", "LIST"));
        Assert.Equal("-ERR Function not found\r\n", server.Call("FCALL", "f", "0"));
    }

    private static long Field(InProcessServer server, string name)
    {
        string text = server.Call("INFO", "memory");
        int start = text.IndexOf("\n" + name + ":", StringComparison.Ordinal) + name.Length + 2;
        return long.Parse(text.AsSpan(start, text.IndexOf('\r', start) - start), CultureInfo.InvariantCulture);
    }

    private static string Content(string bulk) => bulk[(bulk.IndexOf('\n') + 1)..^2];

    // Flags and categories come in any order.
    private static string Sorted(string reply) =>
        reply.Contains("\n+", StringComparison.Ordinal) ? string.Join("\r\n", reply.Split("\r\n").Order(StringComparer.Ordinal)) : reply;

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
