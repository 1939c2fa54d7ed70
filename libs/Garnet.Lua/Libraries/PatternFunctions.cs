// The string functions that use patterns. Stateless; the functions run on the thread that runs the state.
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>find, match, gmatch and gsub.</summary>
internal static class PatternFunctions
{
    // The function of gmatch, with what it has captured.
    private const int IteratorBytes = 300;

    public static int Find(NativeCall call, bool isFind)
    {
        LuaString text = call.CheckString(1);
        LuaString pattern = call.CheckString(2);
        int start = (int)Math.Clamp(StringLibrary.Position(call.OptionalLong(3, 1), text.Length) - 1, 0, text.Length);
        call.State.ChargeInstructions(pattern.Length >> 4);
        if (isFind && (call[4].IsTruthy || !HasSpecials(pattern.Span)))
        {
            int found = PlainSearch.Find(call.State, text.Span[start..], pattern.Span);
            if (found < 0)
                return call.Return(LuaValue.Nil);
            call.Return(start + found + 1.0);
            call.Return(start + found + (double)pattern.Length);
            return 2;
        }

        bool isAnchored = pattern.Length > 0 && pattern[0] == '^';
        var matcher = new PatternMatcher(call, text, isAnchored ? pattern.Span[1..] : pattern.Span);
        for (int position = start; position <= text.Length; position++)
        {
            int end = matcher.MatchAt(position);
            if (end != PatternMatcher.Failed)
            {
                if (!isFind)
                    return matcher.PushCaptures(position, end, orWhole: true);
                call.Return(position + 1.0);
                call.Return((double)end);
                return 2 + matcher.PushCaptures(position, end, orWhole: false);
            }

            if (isAnchored)
                break;
            call.State.ChargeInstructions(1);
        }

        return call.Return(LuaValue.Nil);
    }

    // Up to a NUL, with which a text ends in C; what is searched then is the whole pattern, as it is.
    private static bool HasSpecials(ReadOnlySpan<byte> pattern)
    {
        int end = pattern.IndexOf((byte)0);
        return (end < 0 ? pattern : pattern[..end]).IndexOfAny("^$*+?.([%-"u8) >= 0;
    }

    public static int Iterate(NativeCall call)
    {
        LuaString text = call.CheckString(1);
        LuaString pattern = call.CheckString(2);
        int next = 0;
        call.State.Heap.Charge(IteratorBytes);
        return call.Return(
            new LuaValue(
                new LuaNative(
                    "gmatch",
                    inner =>
                    {
                        var matcher = new PatternMatcher(inner, text, pattern.Span);
                        for (int position = next; position <= text.Length; position++)
                        {
                            int end = matcher.MatchAt(position);
                            if (end == PatternMatcher.Failed)
                            {
                                inner.State.ChargeInstructions(1);
                                continue;
                            }

                            next = end == position ? end + 1 : end;
                            return matcher.PushCaptures(position, end, orWhole: true);
                        }

                        next = text.Length + 1;
                        return 0;
                    },
                    text,
                    pattern
                )
                {
                    OwnBytes = IteratorBytes,
                }
            )
        );
    }

    public static int Replace(NativeCall call)
    {
        LuaString text = call.CheckString(1);
        LuaString pattern = call.CheckString(2);
        LuaValue replacement = call[3];
        if (replacement.Type is not (LuaType.Number or LuaType.String or LuaType.Function or LuaType.Table) || call.Count < 3)
            throw call.ArgumentError(3, "string/function/table expected");
        int limit = call.OptionalInteger(4, text.Length + 1);
        if (replacement.IsNumber)
            replacement = new LuaValue(call.CheckString(3));
        bool isAnchored = pattern.Length > 0 && pattern[0] == '^';
        var matcher = new PatternMatcher(call, text, isAnchored ? pattern.Span[1..] : pattern.Span);
        ByteBuilder result = call.State.Builders.Rent();
        int position = 0;
        int count = 0;
        while (count < limit)
        {
            int end = matcher.MatchAt(position);
            if (end != PatternMatcher.Failed)
            {
                count++;
                AppendReplacement(call, ref matcher, result, replacement, text, position, end);
            }

            if (end > position)
                position = end;
            else if (position < text.Length)
                result.Append(text[position++]);
            else
                break;
            if (isAnchored)
                break;
            call.State.ChargeInstructions(1);
        }

        result.Append(text.Span[Math.Min(position, text.Length)..]);
        call.Return(new LuaValue(result.ToLuaString()));
        call.State.Builders.Return(result);
        call.Return((double)count);
        return 2;
    }

    private static void AppendReplacement(
        NativeCall call,
        ref PatternMatcher matcher,
        ByteBuilder result,
        in LuaValue replacement,
        LuaString text,
        int start,
        int end
    )
    {
        LuaThread thread = call.Thread;
        LuaValue value;
        switch (replacement.Object)
        {
            case LuaString template:
                AppendTemplate(call, ref matcher, result, template, text, start, end);
                return;
            case LuaTable table:
            {
                LuaValue key = matcher.Capture(0, start, end);
                FrameCaller caller = thread.NativeCaller;
                thread.NativeCaller = FrameCaller.Native;
                value = Operations.Index(thread, new LuaValue(table), key);
                thread.NativeCaller = caller;
                break;
            }

            default:
            {
                int top = thread.Top;
                thread.Push(replacement);
                int captures = matcher.PushCaptures(start, end, orWhole: true);
                thread.Call(top, captures, 1, FrameCaller.Native);
                thread.Top = top;
                value = thread.Stack[top];
                break;
            }
        }

        if (!value.IsTruthy)
            result.Append(text.Span[start..end]);
        else
            AppendText(call, result, value);
    }

    private static void AppendTemplate(
        NativeCall call,
        ref PatternMatcher matcher,
        ByteBuilder result,
        LuaString template,
        LuaString text,
        int start,
        int end
    )
    {
        ReadOnlySpan<byte> rest = template.Span;
        call.State.ChargeInstructions(rest.Length >> 1);
        for (int i = 0; i < rest.Length; i++)
        {
            if (rest[i] != '%')
            {
                result.Append(rest[i]);
                continue;
            }

            byte next = ++i < rest.Length ? rest[i] : (byte)0;
            if (!CharacterClass.IsDigit(next))
                result.Append(next);
            else if (next == '0')
                result.Append(text.Span[start..end]);
            else
                matcher.AppendCapture(result, next - '1', start, end);
        }
    }

    private static void AppendText(NativeCall call, ByteBuilder result, in LuaValue value)
    {
        switch (value.Object)
        {
            case LuaString text:
                result.Append(text.Span);
                break;
            case null:
                result.Append(call.State.ToText(value.Number).Span);
                break;
            default:
                throw call.Error($"invalid replacement value (a {OperandErrors.TypeName(value)})");
        }
    }
}
