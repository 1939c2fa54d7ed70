// Bytes of managed memory that runs allocate. One state for each test.
using Garnet.Lua.Compilation;
using Garnet.Lua.Execution;
using Garnet.Lua.Libraries;
using Garnet.Lua.Values;
using Garnet.Testing;
using Xunit;

namespace Garnet.Lua.Tests;

public sealed class AllocationTests
{
    private const int Runs = 1000;

    [Theory]
    [InlineData("return 1")]
    [InlineData("if redis.call(\"get\",KEYS[1])==ARGV[1] then return redis.call(\"del\",KEYS[1]) else return 0 end")]
    [InlineData("local t = {} for i = 1, 10 do t[i] = i * 2 end return #t")]
    [InlineData("local s = ARGV[1] .. ':' .. KEYS[1] return s:sub(2, 4)")]
    [InlineData("return tonumber(ARGV[1]) or tostring(12345.5)")]
    [InlineData("local t = {a = 1, b = {2}} t.c = 'x' return t.b[1]")]
    [InlineData("local t = {} for i = 1, 5000 do t[i] = i end for i = 1, 5000 do t[i] = 'x' end return #t")]
    public void Run_allocates_nothing(string source)
    {
        LuaState state = NewState();
        var function = new LuaValue(
            new LuaClosure(LuaCompiler.Compile(System.Text.Encoding.ASCII.GetBytes(source), "@script"), [], state.Globals)
        );
        Run();
        Assert.Equal(0, ManagedAllocation.Least(Run) / Runs);

        void Run()
        {
            for (int i = 0; i < Runs; i++)
                RunOnce(state, function);
        }
    }

    [Fact]
    public void Values_of_a_run_are_not_changed_by_the_next_one_if_they_are_kept()
    {
        LuaState state = NewState();
        state.Globals.Set("kept", new LuaValue(state.Heap.NewTable()));
        Prototype keep = LuaCompiler.Compile("kept[#kept + 1] = 'a' .. #kept kept[#kept + 1] = {#kept}"u8, "@script");
        for (int i = 0; i < 3; i++)
        {
            state.Run(new LuaValue(state.Load(keep)), []);
            state.End(leftNothing: false);
        }

        LuaValue result = state.Run(
            new LuaValue(state.Load(LuaCompiler.Compile("return kept[1] .. kept[3] .. kept[5] .. kept[2][1] .. kept[4][1]"u8, "@script"))),
            []
        );
        Assert.Equal("a0a2a413", result.Object!.ToString());
    }

    [Theory]
    [InlineData("return function(k, a) return redis.call('get', k[1]) end")]
    [InlineData("local names = {'a', 'b'} local count = 0 return function(k, a) count = count + 1 return names[1] .. k[1] .. a[1] end")]
    [InlineData(
        "local function f(n, k) if n == 0 then return {k} end return f(n - 1, k) end return function(k, a) return f(3, k[1])[1] end"
    )]
    [InlineData("local t = {} return function(k, a) t.n = #k[1] .. '' == '3' return {t.n, a[1] .. 'x'} end")]
    public void Run_of_a_function_that_stays_allocates_nothing(string source)
    {
        LuaState state = NewState();
        LuaValue function = Define(state, source);
        Run();
        Assert.Equal(0, ManagedAllocation.Least(Run) / Runs);

        void Run()
        {
            for (int i = 0; i < Runs; i++)
                CallOnce(state, function);
        }
    }

    // What the function keeps reaches a string of its first run in each of the ways in which values refer to others.
    [Theory]
    [InlineData("local v return function(k, a) v = v or a[1] .. '!' return v end")]
    [InlineData("local t = {} return function(k, a) t.v = t.v or a[1] .. '!' return t.v end")]
    [InlineData("local t = {} return function(k, a) t[1] = t[1] or {{a[1] .. '!'}} return t[1][1][1] end")]
    [InlineData("local t = {} return function(k, a) if not next(t) then t[a[1] .. '!'] = 1 end return (next(t)) end")]
    [InlineData("local f return function(k, a) local v = a[1] .. '!' f = f or function() return v end return f() end")]
    [InlineData(
        "local t = {} return function(k, a) if not getmetatable(t) then setmetatable(t, {__index = {v = a[1] .. '!'}}) end return t.v end"
    )]
    [InlineData("local f return function(k, a) f = f or string.gmatch(a[1] .. '!' .. string.rep(a[1] .. '!', 60), '%a+!') return f() end")]
    [InlineData(
        "local f return function(k, a) f = f or coroutine.wrap(function(v) while true do coroutine.yield(v) end end) return f(a[1] .. '!') end"
    )]
    [InlineData(
        "local c return function(k, a) c = c or coroutine.create(function(v) while true do coroutine.yield(v) end end) "
            + "return select(2, coroutine.resume(c, a[1] .. '!')) end"
    )]
    [InlineData("local t = {} return function(k, a) t[#t + 1] = a[1] .. '!' return t[1] end")]
    public void What_a_function_keeps_is_not_used_again(string source)
    {
        LuaState state = NewState();
        LuaValue function = Define(state, source);
        for (int i = 0; i < 50; i++)
        {
            LuaValue result = state.Run(
                function,
                [Strings(state, "key"u8), i == 0 ? Strings(state, "first"u8) : Strings(state, "other"u8)]
            );
            Assert.Equal("first!", result.Object!.ToString());
            state.End(function);
        }
    }

    private static LuaValue Define(LuaState state, string source)
    {
        Prototype chunk = LuaCompiler.Compile(System.Text.Encoding.ASCII.GetBytes(source), "@library");
        LuaValue function = state.Run(new LuaValue(state.Load(chunk)), []);
        state.End(leftNothing: false);
        // A function that could keep values in global variables would keep all of them in reach.
        ReadOnlyTables.Protect(state.Globals);
        return function;
    }

    private static void CallOnce(LuaState state, in LuaValue function)
    {
        state.Run(function, [Strings(state, "key"u8), Strings(state, "token"u8)]);
        state.End(function);
    }

    private static LuaState NewState()
    {
        var state = new LuaState();
        StandardLibraries.AddTo(state);
        LuaTable redis = NativeTable.Create(("call", static call => call.Return("token"u8)));
        state.Globals.Set("redis", new LuaValue(redis));
        return state;
    }

    private static void RunOnce(LuaState state, in LuaValue function)
    {
        state.Globals.Set("KEYS", Strings(state, "key"u8));
        state.Globals.Set("ARGV", Strings(state, "token"u8));
        state.Run(function, []);
        state.End(leftNothing: true);
    }

    private static LuaValue Strings(LuaState state, ReadOnlySpan<byte> text)
    {
        LuaTable table = state.Heap.NewTable(1);
        table.Set(1, new LuaValue(state.Heap.NewString(text)));
        return new LuaValue(table);
    }
}
