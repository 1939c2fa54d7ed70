// Scripts that try to exhaust stack, memory or time: each ends with an error, within limits. One state for each test.
using Garnet.Lua.Execution;
using Garnet.Lua.Libraries;
using Xunit;

namespace Garnet.Lua.Tests;

public sealed class HostileScriptTests
{
    private const long MemoryLimit = 16 << 20;

    // Each of them fails with a message that contains the text after the arrow.
    [Theory]
    // recursion
    [InlineData("local function f() return 1 + f() end return f()", "stack overflow")]
    [InlineData("local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k] end return t.x", "C stack overflow")]
    [InlineData("local t = setmetatable({}, {}) getmetatable(t).__add = function(a, b) return a + b end return t + 1", "C stack overflow")]
    [InlineData(
        "local t = setmetatable({}, {}) getmetatable(t).__eq = function(a, b) return a == b end return t == setmetatable({}, getmetatable(t))",
        "C stack overflow"
    )]
    [InlineData(
        "local t = setmetatable({}, {}) getmetatable(t).__concat = function(a, b) return a .. b end return t .. 'x'",
        "C stack overflow"
    )]
    [InlineData(
        "local t = setmetatable({}, {}) getmetatable(t).__tostring = function(a) return tostring(a) end return tostring(t)",
        "C stack overflow"
    )]
    [InlineData("local function f(a, b) table.sort({1, 2, 3}, f) return a < b end f(1, 2)", "C stack overflow")]
    [InlineData("local function f() return (string.gsub('x', 'x', f)) end return f()", "C stack overflow")]
    [InlineData("local function f() return coroutine.wrap(f)() end return f()", "C stack overflow")]
    [InlineData("local function f() local ok, e = pcall(f) if not ok then error(e, 0) end return e end return f()", "C stack overflow")]
    [InlineData("local t = {} t.t = t return cjson.encode(t)", "excessive nesting")]
    [InlineData("return cjson.decode(('['):rep(1000000))", "nested data structures")]
    [InlineData("return cjson.decode(('{\"a\":'):rep(1000000))", "nested data structures")]
    [InlineData("return cmsgpack.unpack(('\\145'):rep(1000000))", "Too many nested")]
    [InlineData("return cmsgpack.unpack(('\\129\\1'):rep(1000000))", "Too many nested")]
    [InlineData("return ('x'):rep(100000):find(('x?'):rep(100000))", "pattern too complex")]
    [InlineData("return ('x'):find(('('):rep(100000))", "too many captures")]
    [InlineData("return assert(loadstring('return ' .. ('('):rep(100000)))", "too many syntax levels")]
    [InlineData("return assert(loadstring('return ' .. ('{'):rep(100000)))", "too many syntax levels")]
    [InlineData("return assert(loadstring('return ' .. ('not '):rep(100000)))", "too many syntax levels")]
    [InlineData("return assert(loadstring('return a' .. ('.b'):rep(100000)))", "too many syntax levels")]
    [InlineData("return assert(loadstring('return a' .. (' + a'):rep(100000)))", "too many syntax levels")]
    [InlineData("return assert(loadstring('return a' .. ('()'):rep(100000)))", "too many syntax levels")]
    [InlineData("return assert(loadstring(('if x then '):rep(100000)))", "too many syntax levels")]
    [InlineData("return assert(loadstring('return a' .. (' .. a'):rep(100000)))", "too many syntax levels")]
    // sizes
    [InlineData("return unpack({}, 1, 2^31 - 1)", "too many results to unpack")]
    [InlineData("return unpack({1}, -2, 2147483647)", "too many results to unpack")]
    [InlineData("return unpack({1}, -2147483648, 2147483647)", "too many results to unpack")]
    [InlineData("return ('x'):rep(2^30)", "not enough memory")]
    [InlineData("return ('x'):rep(1e9):rep(1e9)", "not enough memory")]
    [InlineData("return struct.pack('c2147483647', 'x')", "string too short")]
    [InlineData("return struct.unpack('c2147483647c2147483647', 'x')", "data string too short")]
    [InlineData("return struct.size('i99999999999')", "integral size overflow")]
    [InlineData("return struct.unpack('b', 'x', 2^63)", "data string too short")]
    [InlineData("return cmsgpack.unpack('\\221\\255\\255\\255\\255')", "Missing bytes")]
    [InlineData("return cmsgpack.unpack('\\219\\255\\255\\255\\255')", "Missing bytes")]
    [InlineData("return ('x'):byte(1, 1e9) and ('x'):rep(10000):byte(1, -1)", "string slice too long")]
    [InlineData("return string.format('%' .. ('0'):rep(1000) .. 'd', 1)", "repeated flags")]
    // memory
    [InlineData("local s = 'x' while true do s = s .. s end", "not enough memory")]
    [InlineData("local t = {} while true do t[#t + 1] = {} end", "not enough memory")]
    [InlineData("local t = {} local i = 0 while true do i = i + 1 t['k' .. i] = i end", "not enough memory")]
    [InlineData("local t = {} while true do t[#t + 1] = function() return t end end", "not enough memory")]
    [InlineData("local t = {} while true do t[#t + 1] = coroutine.create(function() end) end", "not enough memory")]
    [InlineData(
        "local t = {} while true do t[#t + 1] = coroutine.wrap(function(s) coroutine.yield() return s end) t[#t](('x'):rep(1e4)) end",
        "not enough memory"
    )]
    [InlineData("local t = {} while true do t[#t + 1] = (('x'):rep(1e4) .. #t):gmatch('.') end", "not enough memory")]
    [InlineData("local t = {} while true do t[#t + 1] = newstring .. #t end", "newstring")]
    [InlineData("local s = ('x'):rep(1000) local t = {} for i = 1, 1e7 do t[i] = s .. i end", "not enough memory")]
    [InlineData("return ('x'):rep(1e6):gsub('x', ('y'):rep(1e6))", "not enough memory")]
    [InlineData("local t = {} for i = 1, 1000 do t[i] = ('x'):rep(1e4) end return table.concat(t, ('y'):rep(1e5))", "not enough memory")]
    [InlineData("local t = {} for i = 1, 1e5 do t[i] = {('x'):rep(100)} end return cjson.encode(t)", "not enough memory")]
    [InlineData(
        "local s = 'return {' .. ('1,'):rep(10000) .. '}' local t = {} for i = 1, 2000 do t[i] = assert(loadstring(s)) end",
        "not enough memory"
    )]
    [InlineData("local t = {} for i = 1, 1e6 do t[i] = string.gmatch('a', 'a') end", "not enough memory")]
    [InlineData(
        "local big = ('x'):rep(1e6) local function f(n) return (string.gsub('ab', '.', function(c) if c == 'a' then return big end "
            + "if n > 0 then f(n - 1) end end)) end f(60)",
        "not enough memory"
    )]
    [InlineData("local t = {} for i = 1, 1e4 do t[i] = cjson.new() end", "not enough memory")]
    [InlineData("return cjson.decode('[' .. ('[1],'):rep(2e5) .. '0]')", "not enough memory")]
    [InlineData(
        "return cjson.decode('{' .. ('\"k\":{\"a\":1},'):rep(1e5) .. '\"z\":[' .. ('[[1]],'):rep(1e5) .. '0]}')",
        "not enough memory"
    )]
    [InlineData("return cmsgpack.unpack('\\221\\0\\3\\13\\64' .. ('\\145\\1'):rep(200000))", "not enough memory")]
    [InlineData("return assert(loadstring(('a=1 '):rep(200000)))", "not enough memory")]
    [InlineData("return assert(load(function() return ('x'):rep(1e6) end))", "not enough memory")]
    // escape
    [InlineData("return loadstring('\\27Lua')()", "call")]
    [InlineData("return string.dump(function() end)", "unable to dump")]
    [InlineData("return debug.getinfo(1)", "debug")]
    [InlineData("return package.loadlib('x')", "package")]
    [InlineData("return io.open('/etc/passwd')", "io")]
    [InlineData("return require('os')", "require")]
    [InlineData("return dofile('x')", "dofile")]
    [InlineData("return loadfile('x')", "loadfile")]
    [InlineData("return os.execute('x')", "execute")]
    [InlineData("return getfenv(1)", "getfenv")]
    public void Script_ends_with_an_error(string source, string message)
    {
        var runner = new ScriptRunner();
        runner.State.Heap.Limit = new(null, MemoryLimit);
        string result = runner.Evaluate(source);
        Assert.StartsWith("error: ", result, StringComparison.Ordinal);
        Assert.Contains(message, result, StringComparison.Ordinal);
        Assert.Equal("2", runner.Evaluate("return 1 + 1"));
    }

    [Theory]
    [InlineData("while true do end")]
    [InlineData("repeat until false")]
    [InlineData("for i = 1, math.huge do end")]
    [InlineData("for i = 1, 10, 0 do i = i end while true do end")]
    [InlineData("local function f() return f() end return f()")]
    [InlineData("local function f(n) if n > 0 then f(n - 1) f(n - 1) end end f(1000)")]
    [InlineData("while true do pcall(function() while true do end end) end")]
    [InlineData("while true do pcall(error) end")]
    [InlineData("while true do xpcall(error, error) end")]
    [InlineData("local co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do co() end")]
    [InlineData("coroutine.wrap(function() while true do end end)()")]
    [InlineData("for k in function() return 1 end do end")]
    [InlineData("for k in setmetatable({}, {__call = function() return 1 end}) do end")]
    [InlineData("return ('a'):rep(30000):find(('a-'):rep(50) .. 'b')")]
    [InlineData("return ('a'):rep(100000):find('.-.-.-b')")]
    [InlineData("return ('a'):rep(100000):match('(.*)(.*)(.*)x')")]
    [InlineData("while true do ('x'):rep(100000) end")]
    [InlineData("local t = {} for i = 1, 1e5 do t[i] = i end while true do table.sort(t, function(a, b) return a > b end) end")]
    [InlineData("local t = {} for i = 1, 1e5 do t[i] = i end while true do table.concat(t) end")]
    [InlineData("local t = {} for i = 1, 1e5 do t[i] = i end while true do table.insert(t, 1, 0) table.remove(t, 1) end")]
    [InlineData("local t = {} for i = 1, 1e4 do t[i] = i end while true do cjson.decode(cjson.encode(t)) end")]
    [InlineData("local t = {} for i = 1, 1e4 do t[i] = i end while true do cmsgpack.unpack(cmsgpack.pack(t)) end")]
    [InlineData("while true do loadstring('return 1') end")]
    [InlineData("local t = setmetatable({}, {__index = function() return 1 end}) while true do local x = t.x end")]
    [InlineData("while true do string.gsub('xxx', 'x', function() while true do end end) end")]
    [InlineData("while true do local t = {} for i = 1, 1000 do t[i] = {} end end")]
    public void Endless_script_is_stopped_by_its_host(string source)
    {
        var runner = new ScriptRunner();
        var monitor = new StopAfter(maxInstructions: 3_000_000);
        runner.State.SetMonitor(monitor, interval: 10_000);
        Assert.Throws<LuaInterruptedException>(() => runner.Run(source));
        runner.State.End(leftNothing: false);
        monitor.MaxInstructions = long.MaxValue;
        Assert.Equal("2", runner.Evaluate("return 1 + 1"));
    }

    [Fact]
    public void Script_that_catches_memory_errors_stays_within_the_limit()
    {
        var runner = new ScriptRunner();
        runner.State.Heap.Limit = new(null, MemoryLimit);
        string result = runner.Evaluate(
            "local kept = {} for i = 1, 50 do pcall(function() local s = ('x'):rep(1e5) while true do kept[#kept + 1] = s .. #kept end end) end return #kept"
        );
        Assert.True(int.Parse(result, System.Globalization.CultureInfo.InvariantCulture) > 50, result);
        Assert.True(runner.State.Heap.Walk() < MemoryLimit);
    }

    [Fact]
    public void Garbage_does_not_count_against_the_limit()
    {
        var runner = new ScriptRunner();
        runner.State.Heap.Limit = new(null, MemoryLimit);
        Assert.Equal("ok", runner.Evaluate("for i = 1, 20000 do local t = {('x'):rep(10000), {i}} end return 'ok'"));
        Assert.True(runner.State.Heap.AllocatedBytes > 10 * MemoryLimit);
    }

    [Fact]
    public void Errors_keep_bytes_of_any_kind()
    {
        var runner = new ScriptRunner();
        LuaException error = Assert.Throws<LuaException>(() => runner.Run("error('a\\r\\n+OK\\0b', 0)"));
        Assert.Equal("a\r\n+OK\0b", error.Message);
    }

    [Fact]
    public void Read_only_tables_cannot_be_changed_in_any_way()
    {
        var runner = new ScriptRunner();
        ReadOnlyTables.Protect(runner.State.Globals);
        ReadOnlyTables.Protect(runner.State.StringMetatable!);
        foreach (
            string attempt in new[]
            {
                "x = 1",
                "string.x = 1",
                "string.len = nil",
                "math.pi = 3",
                "rawset(string, 'x', 1)",
                "rawset(_G, 'x', 1)",
                "setmetatable(_G, {})",
                "setmetatable(string, {})",
                "getmetatable('').__index = nil",
                "getmetatable('').x = 1",
                "table.insert(string, 1)",
                "table.remove(setmetatable(string, nil))",
                "_G._G = {}",
                "for k in pairs(string) do string[k] = nil end",
                "function string.trim() end",
            }
        )
        {
            Assert.Contains("Attempt to modify a readonly table", runner.Evaluate(attempt), StringComparison.Ordinal);
        }
    }

    private sealed class StopAfter(long maxInstructions) : IExecutionMonitor
    {
        public long MaxInstructions { get; set; } = maxInstructions;

        public void OnInterval(LuaState state)
        {
            if (state.Instructions > MaxInstructions)
                throw new LuaInterruptedException("stopped");
        }
    }
}
