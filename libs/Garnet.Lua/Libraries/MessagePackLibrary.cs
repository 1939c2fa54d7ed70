// MessagePack. Stateless; the functions run on the thread that runs the state.
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>cmsgpack.*: pack, unpack, unpack_one and unpack_limit.</summary>
internal static class MessagePackLibrary
{
    public static LuaTable Create()
    {
        LuaTable table = NativeTable.Create(
            ("pack", Pack),
            ("unpack", static call => Unpack(call, 0, 0)),
            ("unpack_one", static call => Unpack(call, 1, call.OptionalLong(2, 0))),
            ("unpack_limit", static call => Unpack(call, call.CheckLong(2), call.OptionalLong(3, 0)))
        );
        table.Set("_NAME", new LuaValue(new LuaString("cmsgpack")));
        table.Set("_VERSION", new LuaValue(new LuaString("lua-cmsgpack 0.4.0")));
        return table;
    }

    private static int Pack(NativeCall call)
    {
        if (call.Count == 0)
            throw call.ArgumentError(0, "MessagePack pack needs input.");
        ByteBuilder output = call.State.Builders.Rent();
        var writer = new MessagePackWriter(call, output);
        for (int i = 1; i <= call.Count; i++)
            writer.Write(call[i], depth: 0);
        var packed = output.ToLuaString();
        call.State.Builders.Return(output);
        return call.Return(new LuaValue(packed));
    }

    private static int Unpack(NativeCall call, long limit, long offset)
    {
        LuaString data = call.CheckString(1);
        bool all = limit == 0 && offset == 0;
        if (offset < 0 || limit < 0)
            throw call.Error($"Invalid request to unpack with offset of {(int)offset} and limit of {data.Length}.");
        if (offset > data.Length)
            throw call.Error($"Start offset {(int)offset} greater than input length {data.Length}.");
        if (all)
            limit = int.MaxValue;
        LuaThread thread = call.Thread;
        int first = thread.Top;
        if (!all)
            call.Return(0.0);
        var reader = new MessagePackReader(call, data.Span[(int)offset..]);
        for (long count = 0; !reader.IsAtEnd && count < limit; count++)
        {
            // The offset that is returned with them is one more value.
            if (count >= LuaThread.MaxResults - (all ? 1 : 2))
                throw call.Error("stack overflow (too many return values at once; use unpack_one or unpack_limit instead.)");
            thread.Push(reader.Read(depth: 0));
        }

        if (!all)
            thread.Stack[first] = new LuaValue(reader.IsAtEnd ? -1.0 : offset + (double)reader.Position);
        return thread.Top - first;
    }
}
