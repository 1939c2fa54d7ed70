// Tables compared with a dictionary, in arrays that earlier tables have used. One state.
using Garnet.Lua.Execution;
using Garnet.Lua.Values;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Lua.Tests;

public sealed class TableModelTests(ITestOutputHelper output)
{
    private const int Tables = 400;
    private const int Changes = 1200;

    [Fact]
    public void Tables_that_use_arrays_again_hold_what_was_set_and_nothing_else()
    {
        var random = new Random(TestSeed.ChooseAnew(output));
        var state = new LuaState();
        for (int i = 0; i < Tables; i++)
        {
            LuaTable table = state.Heap.NewTable(random.Next(3) == 0 ? random.Next(300) : 0);
            Dictionary<int, LuaValue> model = [];
            int range = random.Next(1, 700);
            bool isOrdered = random.Next(2) == 0;
            for (int change = 1; change <= Changes; change++)
            {
                int key = isOrdered && random.Next(20) > 0 ? change : random.Next(-3, range);
                LuaValue value =
                    random.Next(8) == 0 ? LuaValue.Nil
                    : random.Next(3) == 0 ? new LuaValue(state.Heap.NewString("text"))
                    : new LuaValue((double)change);
                if (!table.TrySetElement(key, value))
                    table.Set(key, value);
                model[key] = value;
            }

            Compare(model, table, range);
            state.End(leftNothing: true);
        }
    }

    private static void Compare(Dictionary<int, LuaValue> model, LuaTable table, int range)
    {
        for (int key = -5; key < Math.Max(Changes, range) + 50; key++)
            Assert.True(LuaValue.RawEquals(model.GetValueOrDefault(key, LuaValue.Nil), table.Get(key)), $"key {key}");
        LuaValue next = LuaValue.Nil;
        LuaValue content = default;
        HashSet<int> seen = [];
        while (table.Next(ref next, ref content))
        {
            Assert.True(LuaValue.RawEquals(model[(int)next.Number], content));
            Assert.True(seen.Add((int)next.Number));
        }

        Assert.Equal(model.Count(static pair => !pair.Value.IsNil), seen.Count);
        int length = table.Length;
        Assert.True(length == 0 || !table.Get(length).IsNil);
        Assert.True(table.Get(length + 1).IsNil);
    }
}
