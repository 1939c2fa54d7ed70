// Bytes of managed memory that runs allocate. One state for each test.
using Garnet.Lua.Compilation;
using Garnet.Lua.Execution;
using Garnet.Lua.Libraries;
using Garnet.Lua.Values;
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
    public void Run_allocates_nothing(string source)
    {
        LuaState state = NewState();
        var function = new LuaValue(
            new LuaClosure(LuaCompiler.Compile(System.Text.Encoding.ASCII.GetBytes(source), "@script"), [], state.Globals)
        );
        for (int i = 0; i < Runs; i++)
            RunOnce(state, function);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < Runs; i++)
            RunOnce(state, function);
        Assert.Equal(0, (GC.GetAllocatedBytesForCurrentThread() - before) / Runs);
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
