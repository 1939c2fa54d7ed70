// What modules call and replicate: order, keys, permissions and errors.
using Xunit;

namespace Garnet.Server.Tests.Modules;

public sealed class ModuleCallTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true, extensions: ModuleServer.With(typeof(Callers), typeof(Counters)));

    public void Dispose() => _server.Dispose();

    [Fact]
    public void Effects_of_calls_come_first_and_all_are_one_group()
    {
        Assert.Equal("+OK\r\n", _server.Call("CALL.BOTH", "k", "5"));
        Assert.Equal(["MULTI; SET k 5; INCR k; SET effect 5; CALL.BOTH k 5; EXEC"], _server.Effects.Take());
        Assert.Equal("$1\r\n6\r\n", _server.Call("GET", "k"));
        Assert.Equal(":0\r\n", _server.Call("EXISTS", "effect"));
    }

    [Fact]
    public void A_call_without_Replicate_leaves_the_modules_command_as_the_effect()
    {
        Assert.Equal("+OK\r\n", _server.Call("CALL.SILENT", "k", "v"));
        Assert.Equal(["CALL.SILENT k v"], _server.Effects.Take());
        Assert.Equal(":1\r\n", _server.Call("REPL.TOKEN", "n"));
        Assert.Equal(["INCR n"], _server.Effects.Take());
    }

    [Fact]
    public void Within_a_transaction_or_script_the_effects_join_the_others()
    {
        _server.Call("MULTI");
        _server.Call("SET", "a", "1");
        _server.Call("CALL.BOTH", "k", "5");
        _server.Call("REPL.TOKEN", "n");
        _server.Call("CALL.ANY", "d", "1");
        _server.Call("SET", "b", "1");
        Assert.Equal("*5\r\n+OK\r\n+OK\r\n:1\r\n+OK\r\n+OK\r\n", _server.Call("EXEC"));
        Assert.Equal(
            ["MULTI; SET a 1; SET k 5; INCR k; SET effect 5; CALL.BOTH k 5; INCR n; SELECT 1; INCR d; SELECT 0; SET b 1; EXEC"],
            _server.Effects.Take()
        );
        Assert.Equal("+OK\r\n", _server.Call("EVAL", "return server.call('CALL.SILENT', KEYS[1], 'w')", "1", "k"));
        Assert.Equal(["CALL.SILENT k w"], _server.Effects.Take());
    }

    [Fact]
    public void Commands_of_modules_call_each_other()
    {
        Assert.Equal("+OK\r\n", _server.Call("CALL.OUTER", "k", "1"));
        Assert.Equal(["MULTI; SET k value; SET other x; EXEC"], _server.Effects.Take());
        Assert.Equal("+OK\r\n", _server.Call("CALL.OUTER", "k", "0"));
        Assert.Equal(["CALL.OUTER k 0"], _server.Effects.Take());
        Assert.Equal("$5\r\nvalue\r\n", _server.Call("GET", "k"));
        Assert.Equal("-ERR modules call each other too deeply\r\n", _server.Call("CALL.LOOP", "k"));
        Assert.Equal("+PONG\r\n", _server.Call("PING"));
    }

    [Fact]
    public void The_database_is_the_clients_again()
    {
        Assert.Equal("+OK\r\n", _server.Call("CALL.ANY", "k", "3"));
        Assert.Equal(["MULTI; SELECT 3; INCR k; SELECT 0; EXEC"], _server.Effects.Take());
        Assert.Equal(":0\r\n", _server.Call("EXISTS", "k"));
        _server.Call("SELECT", "3");
        Assert.Equal("$1\r\n1\r\n", _server.Call("GET", "k"));
    }

    [Theory]
    [InlineData(0, "", "$2\r\nOK\r\n", 1)]
    [InlineData(1 << 5, "", "$2\r\nOK\r\n", 0)]
    [InlineData(1 << 3, "", "-ERR the command 'set' writes, and was called with NoWrites\r\n", 0)]
    [InlineData((1 << 3) | (1 << 4), "", "$58\r\nERR the command 'set' writes, and was called with NoWrites\r\n", 0)]
    [InlineData(
        0,
        "other",
        "-ERR the command 'set' accesses keys that its caller 'call.with' does not have: it needs Calls = CommandCalls.OnAnyKey\r\n",
        0
    )]
    public void Flags_restrict_a_call(int flags, string other, string reply, int exists)
    {
        Assert.Equal(reply, _server.Call("CALL.WITH", "k", $"{flags}", other));
        Assert.Equal($":{exists}\r\n", _server.Call("EXISTS", "k", "other"));
    }

    [Fact]
    public void As_the_user_only_what_the_user_may()
    {
        _server.Call("ACL", "SETUSER", "u", "on", "nopass", "~*", "+call.with");
        InProcessClient user = _server.Connect();
        user.Call("AUTH", "u", "any");
        Assert.Equal("$2\r\nOK\r\n", user.Call("CALL.WITH", "k", "0", ""));
        Assert.StartsWith(
            "-NOPERM User u has no permissions to run the 'set' command",
            user.Call("CALL.WITH", "k", "2", ""),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Replies_are_read_and_errors_are_the_commands_errors()
    {
        _server.Call("RPUSH", "l", "a", "bc", "3");
        Assert.Equal("*3\r\n$1\r\na\r\n$2\r\nbc\r\n$1\r\n3\r\n", _server.Call("CALL.READS", "l"));
        Assert.Equal("*0\r\n", _server.Call("CALL.READS", "none"));
        _server.Call("SET", "s", "1");
        Assert.Equal("-WRONGTYPE Operation against a key holding the wrong kind of value\r\n", _server.Call("CALL.READS", "s"));
        Assert.Equal(
            "-ERR the command 'incr' writes, but its caller 'call.writes' does not have the flag Write\r\n",
            _server.Call("CALL.WRITES", "s")
        );
        Assert.Equal(_server.Call("COMMAND", "COUNT"), _server.Call("CALL.COUNT"));
        Assert.StartsWith(
            "-ERR InvalidOperationException in command 'call.undeclared': The command 'call.undeclared' does not declare that it calls",
            _server.Call("CALL.UNDECLARED", "k"),
            StringComparison.Ordinal
        );
        Assert.Equal(1, _server.Server.Modules.Find("callers")!.Exceptions);
    }

    [Theory]
    [InlineData("SET", 0, true)]
    [InlineData("set", 0, true)]
    [InlineData("GET", 0, false)]
    [InlineData("NO.SUCH", 0, false)]
    [InlineData("NO.SUCH", 1, true)]
    public void A_name_is_checked_unless_the_flags_say_otherwise(string name, int flags, bool isTaken)
    {
        Assert.Equal(isTaken ? ":1\r\n" : ":0\r\n", _server.Call("REPL.NAME", "k", name, $"{flags}"));
        Assert.Equal(isTaken ? [$"{name} k 1"] : [], _server.Effects.Take());
    }

    [Fact]
    public void What_was_changed_before_an_exception_is_replicated()
    {
        Assert.Equal("+OK\r\n", _server.Call("REPL.NOTHING", "k"));
        Assert.Equal(["REPL.NOTHING k"], _server.Effects.Take());
        Assert.Equal(1, _server.Server.Modules.Find("callers")!.Exceptions);
    }

    [Fact]
    public void Calls_and_effects_allocate_nothing()
    {
        using InProcessServer silent = new(extensions: ModuleServer.With(typeof(Callers)));
        Allocations.AssertNone(silent, "CALL.SILENT k v");
        Allocations.AssertNone(silent, "REPL.TOKEN n");
        Allocations.AssertNone(silent, "REPL.NAME k SET 0");
    }
}
