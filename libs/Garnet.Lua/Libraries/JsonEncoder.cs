// Values to JSON. Used by the thread that runs the state.
using System.Buffers;
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>
/// Appends values as cjson does: a table whose keys are all positive integers is an array, any other one an object. The depth is limited by
/// an option and by <see cref="MaxDepth"/>, whichever is smaller.
/// </summary>
internal readonly struct JsonEncoder(NativeCall call, JsonOptions options, ByteBuilder output)
{
    /// <summary>The deepest nesting that the machine's stack has room for.</summary>
    public const int MaxDepth = 1000;

    private static readonly SearchValues<byte> Escaped = SearchValues.Create([
        .. Enumerable.Range(0, 32).Select(static c => (byte)c),
        (byte)'"',
        (byte)'/',
        (byte)'\\',
        127,
    ]);

    public void Append(in LuaValue value, int depth)
    {
        switch (value.Object)
        {
            case LuaString text:
                AppendString(text);
                break;
            case null:
                AppendNumber(value.Number);
                break;
            case LuaTable table:
                AppendTable(table, depth + 1);
                break;
            case LuaSingleton:
                output.Append(
                    value.IsNil ? "null"u8
                    : value.IsTruthy ? "true"u8
                    : "false"u8
                );
                break;
            case LuaUserdata { IsNull: true }:
                output.Append("null"u8);
                break;
            default:
                throw Unsupported(value, "type not supported");
        }
    }

    private void AppendTable(LuaTable table, int depth)
    {
        if (depth > Math.Min(options.EncodeMaxDepth, MaxDepth))
            throw call.Error($"Cannot serialise, excessive nesting ({depth})");
        int length = ArrayLength(table);
        if (length > 0)
            AppendArray(table, length, depth);
        else
            AppendObject(table, depth);
    }

    private void AppendArray(LuaTable table, int length, int depth)
    {
        output.Append((byte)'[');
        for (int i = 1; i <= length; i++)
        {
            if (i > 1)
                output.Append((byte)',');
            Append(table.Get(i), depth);
            call.State.ChargeInstructions(1);
        }

        output.Append((byte)']');
    }

    private void AppendObject(LuaTable table, int depth)
    {
        output.Append((byte)'{');
        LuaValue key = LuaValue.Nil;
        LuaValue value = default;
        bool isFirst = true;
        while (table.Next(ref key, ref value))
        {
            if (!isFirst)
                output.Append((byte)',');
            isFirst = false;
            if (key.IsNumber)
            {
                output.Append((byte)'"');
                AppendNumber(key.Number);
                output.Append((byte)'"');
            }
            else if (key.Object is LuaString text)
            {
                AppendString(text);
            }
            else
            {
                throw Unsupported(key, "table key must be a number or string");
            }

            output.Append((byte)':');
            Append(value, depth);
            call.State.ChargeInstructions(1);
        }

        output.Append((byte)'}');
    }

    // The largest index if all keys are positive integers, otherwise -1.
    private int ArrayLength(LuaTable table)
    {
        // As in C, an index beyond the integers becomes the smallest one.
        int max = 0;
        long items = 0;
        LuaValue key = LuaValue.Nil;
        LuaValue value = default;
        while (table.Next(ref key, ref value))
        {
            if (!key.IsNumber || key.Number < 1 || Math.Floor(key.Number) != key.Number)
                return -1;
            if (key.Number > max)
                max = key.Number <= int.MaxValue ? (int)key.Number : int.MinValue;
            items++;
            call.State.ChargeInstructions(1);
        }

        if (options.SparseRatio > 0 && max > items * options.SparseRatio && max > options.SparseSafe)
            return options.ConvertSparse ? -1 : throw Unsupported(new LuaValue(table), "excessively sparse array");
        return max;
    }

    private LuaException Unsupported(in LuaValue value, string reason) =>
        call.Error($"Cannot serialise {OperandErrors.TypeName(value)}: {reason}");

    private void AppendNumber(double number)
    {
        if (!double.IsFinite(number))
        {
            switch (options.EncodeInvalidNumbers)
            {
                case 0:
                    throw Unsupported(new LuaValue(number), "must not be NaN or Inf");
                case 1 when double.IsNaN(number):
                    output.Append("nan"u8);
                    return;
                case 2:
                    output.Append("null"u8);
                    return;
            }
        }

        call.State.ChargeInstructions(number == Math.Floor(number) ? 1 : 10);
        Span<byte> text = output.Reserve(NumberText.MaxLength);
        output.Advance(
            options.NumberPrecision == 14 ? NumberText.Format(number, text) : GeneralFormat.Write(number, options.NumberPrecision, text)
        );
    }

    private void AppendString(LuaString text)
    {
        output.Append((byte)'"');
        ReadOnlySpan<byte> rest = text.Span;
        call.State.ChargeInstructions(rest.Length >> 5);
        while (true)
        {
            int next = rest.IndexOfAny(Escaped);
            if (next < 0)
                break;
            output.Append(rest[..next]);
            AppendEscape(rest[next]);
            call.State.ChargeInstructions(1);
            rest = rest[(next + 1)..];
        }

        output.Append(rest);
        output.Append((byte)'"');
    }

    private void AppendEscape(byte c)
    {
        byte letter = c switch
        {
            (byte)'"' or (byte)'/' or (byte)'\\' => c,
            8 => (byte)'b',
            9 => (byte)'t',
            10 => (byte)'n',
            12 => (byte)'f',
            13 => (byte)'r',
            _ => (byte)0,
        };
        output.Append((byte)'\\');
        if (letter != 0)
        {
            output.Append(letter);
            return;
        }

        ReadOnlySpan<byte> digits = "0123456789abcdef"u8;
        output.Append("u00"u8);
        output.Append(digits[c >> 4]);
        output.Append(digits[c & 15]);
    }
}
