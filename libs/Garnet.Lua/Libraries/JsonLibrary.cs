// JSON. The functions run on the thread that runs the state.
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>cjson.*: encode, decode, their options, and null.</summary>
internal static class JsonLibrary
{
    private static readonly LuaUserdata Null = new(metatable: null, isNull: true);

    // A function of a library with options of its own, and all of them with their table.
    private const int FunctionBytes = 200;
    private const int LibraryBytes = 4000;

    private static readonly string[] NumberOptions = ["off", "on", "null"];
    private static readonly string[] SwitchOptions = ["off", "on"];

    /// <summary>The value of JSON's null.</summary>
    public static LuaValue NullValue => new(Null);

    /// <summary>A library with options of its own.</summary>
    public static LuaTable Create()
    {
        var options = new JsonOptions();
        LuaTable table = NativeTable.Create(
            ("encode", call => Encode(call, options)),
            ("decode", call => Decode(call, options)),
            ("encode_sparse_array", call => SetSparse(call, options)),
            ("encode_max_depth", call => SetNumber(call, options.EncodeMaxDepth, 1, int.MaxValue, value => options.EncodeMaxDepth = value)),
            ("decode_max_depth", call => SetNumber(call, options.DecodeMaxDepth, 1, int.MaxValue, value => options.DecodeMaxDepth = value)),
            ("encode_number_precision", call => SetNumber(call, options.NumberPrecision, 1, 14, value => options.NumberPrecision = value)),
            ("encode_keep_buffer", call => SetSwitch(call, options.KeepBuffer, value => options.KeepBuffer = value)),
            ("encode_invalid_numbers", call => SetInvalidNumbers(call, options)),
            (
                "decode_invalid_numbers",
                call => SetSwitch(call, options.DecodeInvalidNumbers, value => options.DecodeInvalidNumbers = value)
            ),
            ("new", static call => call.Return(New(call)))
        );
        table.Set("null", NullValue);
        table.Set("_NAME", new LuaValue(new LuaString("cjson")));
        table.Set("_VERSION", new LuaValue(new LuaString("2.1.0")));
        return table;
    }

    // A library of its own is memory of the script that made it.
    private static LuaValue New(NativeCall call)
    {
        call.State.Heap.Charge(LibraryBytes);
        LuaTable table = Create();
        LuaValue key = LuaValue.Nil;
        LuaValue value = default;
        while (table.Next(ref key, ref value))
        {
            if (value.Object is LuaNative function)
                table.Set(key, new LuaValue(new LuaNative(function.Name, function.Body) { OwnBytes = FunctionBytes }));
        }

        return new LuaValue(table);
    }

    private static int Encode(NativeCall call, JsonOptions options)
    {
        if (call.Count != 1)
            throw call.ArgumentError(1, "expected 1 argument");
        ByteBuilder result = call.State.Builders.Rent();
        new JsonEncoder(call, options, result).Append(call[1], depth: 0);
        var text = result.ToLuaString();
        call.State.Builders.Return(result);
        return call.Return(new LuaValue(text));
    }

    private static int Decode(NativeCall call, JsonOptions options)
    {
        if (call.Count != 1)
            throw call.ArgumentError(1, "expected 1 argument");
        LuaString text = call.CheckString(1);
        if (text.Length >= 2 && (text[0] == 0 || text[1] == 0))
            throw call.Error("JSON parser does not support UTF-16 or UTF-32");
        ByteBuilder scratch = call.State.Builders.Rent();
        LuaValue value = new JsonDecoder(call, options, text.Span, scratch).Decode();
        call.State.Builders.Return(scratch);
        return call.Return(value);
    }

    private static void CheckCount(NativeCall call, int max)
    {
        if (call.Count > max)
            throw call.ArgumentError(max + 1, "found too many arguments");
    }

    private static int SetSparse(NativeCall call, JsonOptions options)
    {
        CheckCount(call, 3);
        SwitchOption(call, options.ConvertSparse, value => options.ConvertSparse = value);
        NumberOption(call, 2, options.SparseRatio, 0, int.MaxValue, value => options.SparseRatio = value);
        NumberOption(call, 3, options.SparseSafe, 0, int.MaxValue, value => options.SparseSafe = value);
        return 3;
    }

    private static int SetNumber(NativeCall call, int current, int min, int max, Action<int> set)
    {
        CheckCount(call, 1);
        NumberOption(call, 1, current, min, max, set);
        return 1;
    }

    private static int SetSwitch(NativeCall call, bool current, Action<bool> set)
    {
        CheckCount(call, 1);
        SwitchOption(call, current, set);
        return 1;
    }

    private static int SetInvalidNumbers(NativeCall call, JsonOptions options)
    {
        CheckCount(call, 1);
        if (!call.IsNoneOrNil(1))
        {
            options.EncodeInvalidNumbers =
                call[1].Type == LuaType.Boolean
                    ? call[1].IsTruthy
                        ? 1
                        : 0
                    : CheckOption(call, NumberOptions);
        }

        return options.EncodeInvalidNumbers == 2 ? call.Return("null") : call.Return(options.EncodeInvalidNumbers == 1);
    }

    private static void NumberOption(NativeCall call, int argument, int current, int min, int max, Action<int> set)
    {
        if (!call.IsNoneOrNil(argument))
        {
            current = call.CheckInteger(argument);
            if (current < min || current > max)
                throw call.ArgumentError(1, $"expected integer between {min} and {max}");
            set(current);
        }

        call.Return((double)current);
    }

    private static void SwitchOption(NativeCall call, bool current, Action<bool> set)
    {
        if (!call.IsNoneOrNil(1))
        {
            current = call[1].Type == LuaType.Boolean ? call[1].IsTruthy : CheckOption(call, SwitchOptions) == 1;
            set(current);
        }

        call.Return(current);
    }

    private static int CheckOption(NativeCall call, string[] names)
    {
        string name = call.CheckString(1).ToShownText();
        int index = Array.IndexOf(names, name);
        return index >= 0 ? index : throw call.ArgumentError(1, $"invalid option '{name}'");
    }
}
