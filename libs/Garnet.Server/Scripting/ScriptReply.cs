// Values of scripts as replies. On the thread that runs the script.
using Garnet.Engine.Execution;
using Garnet.Lua.Execution;
using Garnet.Lua.Libraries;
using Garnet.Lua.Values;

namespace Garnet.Server.Scripting;

/// <summary>
/// Numbers become integers, strings bulk strings, false and nil null, tables arrays up to their first nil; tables with one of the fields
/// err, ok, double, big_number, verbatim_string, map and set what these say.
/// </summary>
internal static class ScriptReply
{
    /// <summary>The field of errors that were counted when the command failed.</summary>
    public static readonly LuaString IsCounted = LibraryNames.Get("ignore_error_stats_update");

    private const int MaxDepth = 1000;

    private static readonly LuaString Error = LibraryNames.Get("err");
    private static readonly LuaString Status = LibraryNames.Get("ok");
    private static readonly LuaString Double = LibraryNames.Get("double");
    private static readonly LuaString BigNumber = LibraryNames.Get("big_number");
    private static readonly LuaString Verbatim = LibraryNames.Get("verbatim_string");
    private static readonly LuaString Format = LibraryNames.Get("format");
    private static readonly LuaString Text = LibraryNames.Get("string");
    private static readonly LuaString Map = LibraryNames.Get("map");
    private static readonly LuaString Set = LibraryNames.Get("set");

    /// <summary>Writes a value as the script's reply.</summary>
    /// <param name="context">The command that called the script.</param>
    /// <param name="state">The script's state.</param>
    /// <param name="value">The value.</param>
    /// <param name="protocol">The version that the script chose: booleans depend on it.</param>
    /// <param name="depth">How deep the value is nested.</param>
    public static void Write(ref CommandContext context, LuaState state, in LuaValue value, int protocol, int depth = 0)
    {
        switch (value.Object)
        {
            case null:
                context.Reply.WriteInteger(NumberText.ToLong(value.Number));
                break;
            case LuaString text:
                context.Reply.WriteBulk(text.Span);
                break;
            case LuaSingleton when !value.IsNil && protocol == 3:
                context.Reply.WriteBool(value.IsTruthy);
                break;
            case LuaSingleton when value.IsTruthy:
                context.Reply.WriteInteger(1);
                break;
            case LuaTable when depth > MaxDepth:
                context.Reply.WriteError("ERR reached lua stack limit"u8);
                break;
            case LuaTable table:
                WriteTable(ref context, state, table, protocol, depth + 1);
                break;
            default:
                context.Reply.WriteNull();
                break;
        }
    }

    /// <summary>The text of an error that is a table: its field err, a string or a number.</summary>
    public static ReadOnlySpan<byte> ErrorText(LuaTable error)
    {
        LuaValue text = error.Get(Error);
        return text.Object is null or LuaString ? CText.UpToZero(TextOf(text)) : "ERR unknown error"u8;
    }

    /// <summary>The text of an error that is no table. Nothing of it is memory of the script, which may have none left.</summary>
    public static ReadOnlySpan<byte> TextOf(scoped in LuaValue error) =>
        error.Object switch
        {
            LuaString text => text.Span,
            null => NumberText.ToLuaString(error.Number).Span,
            LuaSingleton when error.IsNil => "nil"u8,
            LuaSingleton => error.IsTruthy ? "true"u8 : "false"u8,
            _ => System.Text.Encoding.ASCII.GetBytes(BaseLibrary.IdentityOf(error)),
        };

    /// <summary>Writes an error that statistics of errors know already.</summary>
    public static void WriteCountedError(ref CommandContext context, ReadOnlySpan<byte> text)
    {
        context.Reply.WriteRaw("-"u8);
        byte[] line = text.Trim("\r\n"u8).ToArray();
        line.AsSpan().Replace((byte)'\r', (byte)' ');
        line.AsSpan().Replace((byte)'\n', (byte)' ');
        context.Reply.WriteRaw(line);
        context.Reply.WriteRaw("\r\n"u8);
        context.Scratch.Counters.Failed[context.Command.Id]++;
    }

    private static void WriteTable(ref CommandContext context, LuaState state, LuaTable table, int protocol, int depth)
    {
        if (table.Get(Error).Object is LuaString error)
        {
            if (table.Get(IsCounted).IsTruthy)
                WriteCountedError(ref context, ArgumentText.UpToZero(error.Span));
            else
                context.Reply.WriteError(ArgumentText.UpToZero(error.Span));
        }
        else if (table.Get(Status).Object is LuaString status)
        {
            context.Reply.WriteSimpleString(OneLine(status.Span));
        }
        else if (table.Get(Double) is { IsNumber: true } number)
        {
            context.Reply.WriteDouble(number.Number);
        }
        else if (table.Get(BigNumber).Object is LuaString digits)
        {
            context.Reply.WriteBigNumber(OneLine(digits.Span));
        }
        else if (
            table.Get(Verbatim).Object is LuaTable verbatim
            && verbatim.Get(Format).Object is LuaString format
            && verbatim.Get(Text).Object is LuaString text
        )
        {
            context.Reply.WriteVerbatim(ThreeLetters(format.Span), text.Span);
        }
        else if (table.Get(Map).Object is LuaTable map)
        {
            WriteMap(ref context, state, map, protocol, depth);
        }
        else if (table.Get(Set).Object is LuaTable set)
        {
            WriteSet(ref context, state, set, protocol, depth);
        }
        else
        {
            WriteArray(ref context, state, table, protocol, depth);
        }
    }

    private static void WriteArray(ref CommandContext context, LuaState state, LuaTable table, int protocol, int depth)
    {
        int count = 0;
        LuaValue element = default;
        while (table.TryGetInteger(count + 1, ref element))
            count++;
        context.Reply.WriteArray(count);
        for (int i = 1; i <= count; i++)
            Write(ref context, state, table.Get(i), protocol, depth);
    }

    private static void WriteMap(ref CommandContext context, LuaState state, LuaTable map, int protocol, int depth)
    {
        context.Reply.WriteMap(Count(map));
        LuaValue key = LuaValue.Nil;
        LuaValue value = default;
        while (map.Next(ref key, ref value))
        {
            Write(ref context, state, key, protocol, depth);
            Write(ref context, state, value, protocol, depth);
        }
    }

    private static void WriteSet(ref CommandContext context, LuaState state, LuaTable set, int protocol, int depth)
    {
        context.Reply.WriteSet(Count(set));
        LuaValue key = LuaValue.Nil;
        LuaValue value = default;
        while (set.Next(ref key, ref value))
            Write(ref context, state, key, protocol, depth);
    }

    private static int Count(LuaTable table)
    {
        int count = 0;
        LuaValue key = LuaValue.Nil;
        LuaValue value = default;
        while (table.Next(ref key, ref value))
            count++;
        return count;
    }

    // Texts are C strings on the way: they end at a NUL.
    private static byte[] OneLine(ReadOnlySpan<byte> text)
    {
        byte[] line = ArgumentText.UpToZero(text).ToArray();
        line.AsSpan().Replace((byte)'\r', (byte)' ');
        line.AsSpan().Replace((byte)'\n', (byte)' ');
        return line;
    }

    private static byte[] ThreeLetters(ReadOnlySpan<byte> format)
    {
        byte[] letters = [(byte)' ', (byte)' ', (byte)' '];
        format[..Math.Min(3, format.Length)].CopyTo(letters);
        return letters;
    }
}
