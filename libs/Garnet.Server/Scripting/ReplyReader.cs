// Replies as values of scripts. On the thread that runs the script.
using System.Buffers.Text;
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Server.Scripting;

/// <summary>Reads one reply of a command of the server, in either version of the protocol.</summary>
internal ref struct ReplyReader(LuaState state, ReadOnlySpan<byte> reply)
{
    private static readonly LuaString Error = LibraryNames.Get("err");
    private static readonly LuaString Status = LibraryNames.Get("ok");
    private static readonly LuaString Double = LibraryNames.Get("double");
    private static readonly LuaString BigNumber = LibraryNames.Get("big_number");
    private static readonly LuaString Verbatim = LibraryNames.Get("verbatim_string");
    private static readonly LuaString Format = LibraryNames.Get("format");
    private static readonly LuaString Text = LibraryNames.Get("string");
    private static readonly LuaString Map = LibraryNames.Get("map");
    private static readonly LuaString Set = LibraryNames.Get("set");

    private readonly ReadOnlySpan<byte> _reply = reply;
    private int _position;

    /// <summary>An error as scripts see it.</summary>
    public static LuaValue ErrorTable(LuaState state, ReadOnlySpan<byte> text, bool isCounted)
    {
        LuaTable table = state.Heap.NewTable();
        table.Set(new LuaValue(Error), new LuaValue(state.Heap.NewString(text)));
        if (isCounted)
            table.Set(new LuaValue(ScriptReply.IsCounted), LuaValue.True);
        return new LuaValue(table);
    }

    /// <summary>The value of the next reply.</summary>
    public LuaValue Read()
    {
        byte type = _reply[_position++];
        ReadOnlySpan<byte> line = ReadLine();
        switch (type)
        {
            case (byte)'+':
                return Field(Status, new LuaValue(state.Heap.NewString(line)));
            case (byte)'-':
                return ErrorTable(state, line, isCounted: true);
            case (byte)':':
                return new LuaValue((double)ParseInteger(line));
            case (byte)'$':
                return ReadBulk(ParseInteger(line));
            case (byte)'*' or (byte)'>':
                return ReadArray(ParseInteger(line));
            case (byte)'%':
                return ReadMap(ParseInteger(line));
            case (byte)'~':
                return ReadSet(ParseInteger(line));
            case (byte)'_':
                return LuaValue.Nil;
            case (byte)'#':
                return LuaValue.Boolean(line[0] == 't');
            case (byte)',':
                NumberText.TryParse(line, out double number);
                return Field(Double, new LuaValue(number));
            case (byte)'(':
                return Field(BigNumber, new LuaValue(state.Heap.NewString(line)));
            case (byte)'=':
                return ReadVerbatim((int)ParseInteger(line));
            default:
                throw new InvalidOperationException("a reply of an unknown type");
        }
    }

    private static long ParseInteger(ReadOnlySpan<byte> digits)
    {
        Utf8Parser.TryParse(digits, out long value, out _);
        return value;
    }

    private ReadOnlySpan<byte> ReadLine()
    {
        int length = _reply[_position..].IndexOf((byte)'\r');
        ReadOnlySpan<byte> line = _reply.Slice(_position, length);
        _position += length + 2;
        return line;
    }

    private readonly LuaValue Field(LuaString name, in LuaValue value)
    {
        LuaTable table = state.Heap.NewTable();
        table.Set(new LuaValue(name), value);
        return new LuaValue(table);
    }

    private LuaValue ReadBulk(long length)
    {
        if (length < 0)
            return LuaValue.False;
        var text = new LuaValue(state.Heap.NewString(_reply.Slice(_position, (int)length)));
        _position += (int)length + 2;
        return text;
    }

    private LuaValue ReadVerbatim(int length)
    {
        LuaTable content = state.Heap.NewTable();
        content.Set(new LuaValue(Text), new LuaValue(state.Heap.NewString(_reply.Slice(_position + 4, length - 4))));
        content.Set(new LuaValue(Format), new LuaValue(state.Heap.NewString(_reply.Slice(_position, 3))));
        _position += length + 2;
        return Field(Verbatim, new LuaValue(content));
    }

    private LuaValue ReadArray(long count)
    {
        if (count < 0)
            return LuaValue.False;
        LuaTable table = state.Heap.NewTable((int)count);
        // Until its parent refers to it, the stack does: it is in use.
        state.Current.Push(new LuaValue(table));
        for (int i = 1; i <= count; i++)
        {
            LuaValue element = Read();
            table.Set(i, element);
        }

        state.Current.Top--;
        return new LuaValue(table);
    }

    private LuaValue ReadMap(long pairs)
    {
        LuaTable map = state.Heap.NewTable(0, (int)pairs);
        state.Current.Push(new LuaValue(map));
        for (long i = 0; i < pairs; i++)
        {
            LuaValue key = Read();
            LuaValue value = Read();
            if (!key.IsNil)
                map.Set(key, value);
        }

        state.Current.Top--;
        return Field(Map, new LuaValue(map));
    }

    private LuaValue ReadSet(long count)
    {
        LuaTable set = state.Heap.NewTable(0, (int)count);
        state.Current.Push(new LuaValue(set));
        for (long i = 0; i < count; i++)
        {
            LuaValue member = Read();
            if (!member.IsNil)
                set.Set(member, LuaValue.True);
        }

        state.Current.Top--;
        return Field(Set, new LuaValue(set));
    }
}
