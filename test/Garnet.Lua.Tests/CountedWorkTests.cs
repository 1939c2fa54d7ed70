// What operations count as instructions, so that a script that repeats them can be stopped in time. One state for each test.
using System.Globalization;
using Garnet.Lua.Execution;
using Garnet.Lua.Values;
using Xunit;

namespace Garnet.Lua.Tests;

public sealed class CountedWorkTests
{
    private const string Operands =
        "local n = 1000000 local a, b = ('x'):rep(n), ('x'):rep(n) local t = {} t[a] = 1 "
        + "local digits = (' '):rep(n) .. '1' local f = nil ";

    // An operation on a million bytes or values counts at least one instruction for every hundred of them.
    [Theory]
    [InlineData("f = function() return a == b end")]
    [InlineData("f = function() return a < b end")]
    [InlineData("f = function() return a <= b end")]
    [InlineData("f = function() return rawequal(a, b) end")]
    [InlineData("f = function() return t[b] end")]
    [InlineData("f = function() t[b] = 2 end")]
    [InlineData("f = function() return rawget(t, b) end")]
    [InlineData("f = function() return a .. b end")]
    [InlineData("f = function() return ('xy'):rep(n) end")]
    [InlineData("f = function() return a:upper() end")]
    [InlineData("f = function() return a:reverse() end")]
    [InlineData("f = function() return a:sub(2) end")]
    [InlineData("f = function() return tonumber(digits) end")]
    [InlineData("f = function() return digits + 1 end")]
    [InlineData("f = function() return math.floor(digits) end")]
    [InlineData("f = function() for i = digits, 1 do end end")]
    [InlineData("f = function() return tonumber(digits, 16) end")]
    [InlineData("f = function() return a:find('y', 1, true) end")]
    [InlineData("f = function() return a:find(('x'):rep(100) .. 'y', 1, true) end")]
    [InlineData("f = function() return a:find('y*$') end")]
    [InlineData("f = function() return a:match('^x*$') end")]
    [InlineData("f = function() return ('x'):find('[' .. b .. ']') end")]
    [InlineData("f = function() return ('x'):find('%f[' .. b .. ']') end")]
    [InlineData("local s = '(' .. a .. ')' f = function() return s:find('%b()') end")]
    [InlineData("local s = a .. '-' .. a f = function() return s:find('^(x*)-%1$') end")]
    [InlineData("f = function() return a:gsub('x', '') end")]
    [InlineData("f = function() return ('x'):gsub('x', a) end")]
    [InlineData("local s = ('%1'):rep(500000) f = function() return ('x'):gsub('()', s) end")]
    [InlineData("f = function() return string.format('%.1s', a) end")]
    [InlineData("f = function() return string.format('%q', a) end")]
    [InlineData("f = function() return string.format(a) end")]
    [InlineData("f = function() return cjson.encode(a) end")]
    [InlineData("local s = '[' .. (' '):rep(n) .. ']' f = function() return cjson.decode(s) end")]
    [InlineData("local s = cjson.encode(a) f = function() return cjson.decode(s) end")]
    [InlineData("f = function() return cmsgpack.pack(a) end")]
    [InlineData("local s = cmsgpack.pack(a) f = function() return cmsgpack.unpack(s) end")]
    [InlineData("local s = (' '):rep(n) f = function() return struct.pack(s) end")]
    [InlineData("local s = (' '):rep(n) f = function() return struct.unpack(s, 'x') end")]
    [InlineData("local s = ('x'):rep(n) f = function() return struct.size(s) end")]
    [InlineData("f = function() return struct.unpack('s', a .. '\\0') end")]
    [InlineData("local s = ('--' .. a) f = function() return loadstring(s, '=s') end")]
    [InlineData("for i = 1, n do t[i] = i end for i = 1, n do t[i] = nil end t[a] = nil f = function() return next(t) end")]
    [InlineData("for i = 1, n do t[i] = i end f = function() return table.concat(t, '', 1, n) end")]
    [InlineData("for i = 1, n do t[i] = i end f = function() return collectgarbage() end")]
    [InlineData("for i = 1, 7000 do t[i] = i end f = function() for i = 1, 150 do local x = unpack(t, 1, 7000) end end")]
    [InlineData(
        "local v = function(...) return select('#', ...) end for i = 1, 7000 do t[i] = i end f = function() for i = 1, 150 do v(unpack(t, 1, 7000)) end end"
    )]
    [InlineData("f = function() for i = 1, 10 do pcall(error) end end")]
    [InlineData("f = function() for i = 1, 10 do coroutine.resume(coroutine.create(function() error() end)) end end")]
    public void Operation_counts_in_proportion_to_its_work(string operation)
    {
        var runner = new ScriptRunner();
        runner.State.Heap.Limit = new(null, 512 << 20);
        runner.State.SetMonitor(null, 0);
        runner.State.Globals.Set(
            "count",
            new LuaValue(new LuaNative("count", static call => call.Return((double)call.State.Instructions)))
        );
        string counted = runner.Evaluate(Operands + operation + " local before = count() f() return count() - before");
        Assert.InRange(double.Parse(counted, CultureInfo.InvariantCulture), 10_000, 100_000_000);
    }

    [Fact]
    public void Live_values_near_the_limit_are_not_measured_for_each_allocation()
    {
        var runner = new ScriptRunner();
        runner.State.Heap.Limit = new(null, 16 << 20);
        Assert.Equal(
            "ok",
            runner.Evaluate(
                "local t = {} for i = 1, 90000 do t[i] = 'text number ' .. i end local s for i = 1, 20000 do s = 'x' .. i end return 'ok'"
            )
        );
        Assert.InRange(runner.State.Heap.Walks, 0, 20);
    }

    [Fact]
    public void Table_constructor_grows_its_table_once()
    {
        var runner = new ScriptRunner();
        string source = "return #{" + string.Concat(Enumerable.Repeat("1,", 100_000)) + "1}";
        Assert.Equal("100001", runner.Evaluate(source));
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Equal("100001", runner.Evaluate(source));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 60_000_000);
    }

    [Fact]
    public void Compiling_counts_and_can_be_stopped()
    {
        var runner = new ScriptRunner();
        runner.State.SetMonitor(new StopAt(100_000), interval: 1000);
        Assert.Throws<LuaInterruptedException>(() => runner.Run("local s = ('a=1 '):rep(100000) return loadstring(s)"));
    }

    private sealed class StopAt(long instructions) : IExecutionMonitor
    {
        public void OnInterval(LuaState state)
        {
            if (state.Instructions > instructions)
                throw new LuaInterruptedException("stopped");
        }
    }
}
