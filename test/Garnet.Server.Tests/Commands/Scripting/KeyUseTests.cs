// Which scripts are known to touch only their declared keys, and to end soon.
using System.Text;
using Garnet.Lua.Compilation;
using Garnet.Lua.Execution;
using Garnet.Server.Scripting;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Commands.Scripting;

public sealed class KeyUseTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData("return 1")]
    [InlineData("return redis.call('get', KEYS[1])")]
    [InlineData("if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0")]
    [InlineData("if server.call('GET', KEYS[1]) == ARGV[1] then return server.pcall('PEXPIRE', KEYS[1], ARGV[2]) else return 0 end")]
    [InlineData("local a, b = KEYS[1], KEYS[2] local call = redis.call call('set', a, 1) return call('rename', a, b)")]
    [InlineData("local key if ARGV[1] == 'x' then key = KEYS[1] else key = KEYS[2] end return redis.call('incr', key)")]
    [InlineData("local key if ARGV[1] then key = KEYS[1] end return redis.call('incr', key)")]
    [InlineData("return redis.call('mget', unpack(KEYS))")]
    [InlineData("return redis.call('mget', KEYS[1], unpack(KEYS, 2))")]
    [InlineData("return redis.call('del', KEYS[#KEYS], KEYS[tonumber(ARGV[1])])")]
    [InlineData("return redis.call('sadd', KEYS[1], unpack(ARGV))")]
    [InlineData("return redis.call('mset', KEYS[1], ARGV[1], KEYS[2], ARGV[2])")]
    [InlineData("local t = redis.call('time') redis.call('zadd', KEYS[1], t[1], t[1] .. t[2]) return redis.call('zcard', KEYS[1])")]
    [InlineData("redis.call('publish', ARGV[1], ARGV[2]) redis.setresp(3) return redis.error_reply('no ' .. ARGV[1])")]
    [InlineData("redis.call('flushall', KEYS[1]) return 1", false)]
    [InlineData("return redis.call('get', 'a')", false)]
    [InlineData("return redis.call('get', ARGV[1])", false)]
    [InlineData("return redis.call('get', KEYS[1] .. ':x')", false)]
    [InlineData("return redis.call('mget', KEYS[1], ARGV[1])", false)]
    [InlineData("return redis.call('mget', unpack(ARGV))", false)]
    [InlineData("return redis.call('mset', unpack(KEYS))", false)]
    [InlineData("return redis.call('sunionstore', KEYS[1], KEYS[2], 'a')", false)]
    [InlineData("return redis.call('zunionstore', KEYS[1], 1, KEYS[2])", false)]
    [InlineData("return redis.call('sort', KEYS[1], 'by', '*')", false)]
    [InlineData("return redis.call('copy', KEYS[1], KEYS[2], 'db', 1)", false)]
    [InlineData("return redis.call('dbsize')", false)]
    [InlineData("return redis.call('select', 1)", false)]
    [InlineData("return redis.call('object', 'encoding', KEYS[1])", false)]
    [InlineData("return redis.call(ARGV[1], KEYS[1])", false)]
    [InlineData("return redis.call(unpack(ARGV))", false)]
    [InlineData("return redis.call('nosuchcommand', KEYS[1])", false)]
    [InlineData("local key = KEYS[1] if ARGV[1] then key = ARGV[1] end return redis.call('get', key)", false)]
    [InlineData("KEYS[1] = 'a' return redis.call('get', KEYS[1])", false)]
    [InlineData("local t = KEYS t[1] = 'a' return redis.call('get', KEYS[1])", false)]
    [InlineData("local t = ARGV if ARGV[1] then t = KEYS end t[1] = 'a' return redis.call('get', KEYS[1])", false)]
    [InlineData("local t = {KEYS} t[1][1] = 'a' return redis.call('get', KEYS[1])", false)]
    [InlineData("local t = {} t.k = KEYS t.k[1] = 'a' return redis.call('get', KEYS[1])", false)]
    [InlineData("local t = select(1, KEYS) t[1] = 'a' return redis.call('get', KEYS[1])", false)]
    [InlineData("local t = assert(KEYS) t[1] = 'a' return redis.call('get', KEYS[1])", false)]
    [InlineData("_G.KEYS[1] = 'a' return redis.call('get', KEYS[1])", false)]
    [InlineData("rawset(KEYS, 1, 'a') return redis.call('get', KEYS[1])", false)]
    [InlineData("table.insert(KEYS, 1, 'a') return redis.call('get', KEYS[1])", false)]
    [InlineData("pcall(redis.call, 'get', 'a')", false)]
    [InlineData("local f = redis['call'] return f('get', 'a')", false)]
    [InlineData("local t = {f = redis.call} return t.f('get', 'a')", false)]
    [InlineData("local function f() return redis.call('get', 'a') end return f()", false)]
    [InlineData("return loadstring(\"return redis.call('get', 'a')\")()", false)]
    [InlineData("setmetatable(ARGV, {__index = function() return 1 end}) return ARGV.x", false)]
    [InlineData("return getmetatable('').__index.rep('a', 10)", false)]
    [InlineData("while true do end", false)]
    [InlineData("repeat until false", false)]
    [InlineData("for i = 1, 1e9 do end", false)]
    [InlineData("for k, v in pairs(ARGV) do end", false)]
    [InlineData("return string.rep('a', 1e8)", false)]
    [InlineData("return ('a'):rep(1e8)", false)]
    [InlineData("return string.find(ARGV[1], ARGV[2])", false)]
    [InlineData("table.sort(ARGV)", false)]
    [InlineData("redis.log(redis.LOG_WARNING, 'a')", false)]
    [InlineData("local s = ARGV[1] s = s .. s s = s .. s s = s .. s s = s .. s s = s .. s s = s .. s s = s .. s return s", false)]
    [InlineData("local t = {1} t = {t, t} t = {t, t} t = {t, t} t = {t, t} t = {t, t} t = {t, t} t = {t, t} return t", false)]
    [InlineData(
        "local s = ARGV[1] local f = string.format s = f('%s%s%s%s%s', s, s, s, s, s) s = f('%s%s%s%s%s', s, s, s, s, s) return f('%s%s%s', s, s, s)",
        false
    )]
    public void A_script_keeps_to_its_keys(string script, bool isDeclared = true)
    {
        using InProcessServer server = new();
        Assert.Equal(isDeclared ? KeyUse.Declared : KeyUse.Uncertain, Read(server, script));
    }

    [Fact]
    public void A_long_script_is_uncertain()
    {
        using InProcessServer server = new();
        Assert.Equal(KeyUse.Uncertain, Read(server, string.Concat(Enumerable.Repeat("redis.call('incr', KEYS[1]) ", 500))));
    }

    [Theory]
    [InlineData("function(keys, args) return redis.call('set', keys[1], args[1]) end")]
    [InlineData("function(keys) return redis.call('mget', unpack(keys)) end")]
    [InlineData("function() calls = calls + 1 return calls end")]
    [InlineData("function(keys, args) return redis.call('set', args[1], keys[1]) end", false)]
    [InlineData("function(keys, args) kept = keys return redis.call('get', keys[1]) end", false)]
    [InlineData("function(...) local keys = ... return redis.call('get', keys[1]) end", false)]
    [InlineData("function(keys) return helper(keys) end", false)]
    [InlineData("function(keys) return function() return keys end end", false)]
    public void A_function_keeps_to_its_keys(string function, bool isDeclared = true)
    {
        using InProcessServer server = new();
        string library = $"#!lua name=l\nlocal calls, kept = 0 local function helper() end server.register_function('f', {function})";
        server.Call("FUNCTION", "LOAD", library);
        server.Call("FCALL", "f", "1", "a", "b");
        Assert.Equal(isDeclared ? KeyUse.Declared : KeyUse.Uncertain, server.Server.Scripts.Functions.Catalog.FindFunction("f"u8)!.KeyUse);
    }

    // A key that is not latched would be an exception.
    [Fact]
    public void Random_scripts_that_keep_to_their_keys_touch_no_others()
    {
        int seed = TestSeed.ChooseAnew(output);
        int scripts = FaultScale.Count(2000, 1_000_000);
        int declared = 0;
        using InProcessServer server = new();
        for (int i = 0; i < scripts; i++)
        {
            string script = new KeyScriptGenerator(new Random(unchecked(seed + i))).Generate();
            bool isDeclared = Read(server, script) == KeyUse.Declared;
            declared += isDeclared ? 1 : 0;
            try
            {
                server.Call("EVAL", script, "2", "k1", "k2", "a1", "a2");
            }
            catch (InvalidOperationException e)
            {
                Assert.Fail($"seed {unchecked(seed + i)}: {e.Message}\n{script}");
            }
        }

        output.WriteLine($"{declared} of {scripts} keep to their keys");
        Assert.InRange(declared, scripts / 20, scripts * 19 / 20);
    }

    private static KeyUse Read(InProcessServer server, string script)
    {
        Prototype code = LuaCompiler.Compile(Encoding.Latin1.GetBytes(script), "@user_script");
        return KeyUseReader.Read(code, server.Server.Commands, isFunction: false);
    }
}
