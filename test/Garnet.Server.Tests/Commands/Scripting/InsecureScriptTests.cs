// Scripts that may exchange environments (lua-enable-insecure-api). Each test has its own server.
using Xunit;

namespace Garnet.Server.Tests.Commands.Scripting;

public sealed class InsecureScriptTests : IDisposable
{
    private readonly InProcessServer _server = new(static options => options.EnableProtectedConfigs = CommandAccess.Yes);

    // What Valkey 9.1 replied.
    [Theory]
    [InlineData("return type(getfenv) .. type(setfenv) .. type(newproxy)", "$24\r\nfunctionfunctionfunction\r\n")]
    [InlineData("return getfenv(0) == _G and getfenv(1) == _G and getfenv() == _G", ":1\r\n")]
    [InlineData("local f = function() return x end setfenv(f, {x = 5}) return f()", ":5\r\n")]
    [InlineData("setfenv(1, {redis = redis, count = 1}) return count", ":1\r\n")]
    [InlineData("setfenv(string.rep, {})", "-ERR user_script:1: 'setfenv' cannot change environment of given object *")]
    [InlineData("setfenv(9, {})", "-ERR user_script:1: bad argument #1 to 'setfenv' (invalid level) *")]
    [InlineData("setfenv(-1, {})", "-ERR user_script:1: bad argument #1 to 'setfenv' (level must be non-negative) *")]
    [InlineData("getfenv(9)", "-ERR user_script:1: bad argument #1 to 'getfenv' (invalid level) *")]
    [InlineData(
        "local function f() return getfenv(2) end local function g() return f() end return type(g())",
        "-ERR user_script:1: no function environment for tail call at level 2 *"
    )]
    [InlineData("return {pcall(setfenv, 1, {})}", "*2\r\n$-1\r\n$51\r\n'setfenv' cannot change environment of given object\r\n")]
    [InlineData(
        "local p = newproxy(true) getmetatable(p).__index = function(_, k) return k .. '!' end return p.a .. type(p)",
        "$10\r\na!userdata\r\n"
    )]
    [InlineData(
        "local p = newproxy(true) return {getmetatable(newproxy(p)) == getmetatable(p), getmetatable(newproxy()) == nil}",
        "*2\r\n:1\r\n:1\r\n"
    )]
    [InlineData("local p = newproxy(true) getmetatable(p).__len = function() return 7 end return #p", ":7\r\n")]
    [InlineData("newproxy(1)", "-ERR user_script:1: bad argument #1 to 'newproxy' (boolean or proxy expected) *")]
    [InlineData("newproxy(cjson.null)", "-ERR user_script:1: bad argument #1 to 'newproxy' (boolean or proxy expected) *")]
    [InlineData("count = 5", "-ERR user_script:1: Attempt to modify a readonly table *")]
    public void Replies_are_those_of_Valkey(string script, string expected)
    {
        Assert.Equal("+OK\r\n", _server.Call("CONFIG", "SET", "lua-enable-insecure-api", "yes"));
        string reply = _server.Call("EVAL", script, "0");
        if (expected.EndsWith('*'))
            Assert.StartsWith(expected[..^1], reply, StringComparison.Ordinal);
        else
            Assert.Equal(expected, reply);
    }

    [Fact]
    public void The_option_is_refused_without_permission_and_forgets_scripts_when_it_changes()
    {
        using InProcessServer usual = new();
        Assert.StartsWith("-ERR", usual.Call("CONFIG", "SET", "lua-enable-insecure-api", "yes"), StringComparison.Ordinal);
        string hash = _server.Call("SCRIPT", "LOAD", "return type(getfenv)")[5..45];
        Assert.Contains("nonexistent global variable 'getfenv'", _server.Call("EVALSHA", hash, "0"), StringComparison.Ordinal);
        _server.Call("CONFIG", "SET", "lua-enable-deprecated-api", "yes");
        Assert.StartsWith("-NOSCRIPT", _server.Call("EVALSHA", hash, "0"), StringComparison.Ordinal);
        Assert.Equal("$8\r\nfunction\r\n", _server.Call("EVAL", "return type(getfenv)", "0"));
        _server.Call("CONFIG", "SET", "lua-enable-insecure-api", "no");
        Assert.StartsWith("-NOSCRIPT", _server.Call("EVALSHA", hash, "0"), StringComparison.Ordinal);
        Assert.Contains("'getfenv'", _server.Call("EVAL", "return type(getfenv)", "0"), StringComparison.Ordinal);
    }

    // Libraries that are loaded keep what they had, as in Valkey.
    [Fact]
    public void Functions_see_the_option_after_they_have_been_flushed()
    {
        const string Library = "#!lua name=a\nserver.register_function('f', function() return type(getfenv) end)";
        _server.Call("FUNCTION", "LOAD", Library);
        _server.Call("CONFIG", "SET", "lua-enable-insecure-api", "yes");
        Assert.Contains("'getfenv'", _server.Call("FCALL", "f", "0"), StringComparison.Ordinal);
        _server.Call("FUNCTION", "FLUSH");
        _server.Call("FUNCTION", "LOAD", Library);
        Assert.Equal("$8\r\nfunction\r\n", _server.Call("FCALL", "f", "0"));
    }

    // An environment outlives the run, so its tables and texts must not be used again by the next.
    [Fact]
    public void What_a_script_puts_into_its_environment_stays()
    {
        _server.Call("CONFIG", "SET", "lua-enable-insecure-api", "yes");
        const string Script =
            "if getfenv(1) == _G then setfenv(1, setmetatable({seen = {ARGV[1] .. '!'}}, {__index = _G})) end return seen[1] .. #seen";
        Assert.Equal("$7\r\nfirst!1\r\n", _server.Call("EVAL", Script, "0", "first"));
        for (int i = 0; i < 50; i++)
        {
            Assert.Equal("$7\r\nother!x\r\n", _server.Call("EVAL", "local t = {ARGV[1] .. '!'} return t[1] .. 'x'", "0", "other"));
            Assert.Equal("$7\r\nfirst!1\r\n", _server.Call("EVAL", Script, "0", "other"));
        }
    }

    [Fact]
    public void Environments_count_towards_the_limit_of_memory()
    {
        _server.Call("CONFIG", "SET", "lua-enable-insecure-api", "yes");
        _server.Call("CONFIG", "SET", "script-memory-limit", "4mb");
        string reply = "";
        for (int i = 0; i < 20; i++)
        {
            string script = $"setfenv(1, {{p = newproxy(true), meta = getmetatable}}) meta(p).kept = ('x'):rep(1000000) -- {i}";
            reply = _server.Call("EVAL", script, "0");
        }

        Assert.Contains("not enough memory", reply, StringComparison.Ordinal);
        _server.Call("SCRIPT", "FLUSH");
        Assert.Equal(":1\r\n", _server.Call("EVAL", "return #('x'):rep(1000000) / 1000000", "0"));
    }

    public void Dispose() => _server.Dispose();
}
