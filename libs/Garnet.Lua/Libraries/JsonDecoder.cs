// JSON to values. Used by the thread that runs the state.
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>A recursive descent parser with cjson's tolerance and messages; its depth is limited as the encoder's.</summary>
internal ref struct JsonDecoder(NativeCall call, JsonOptions options, ReadOnlySpan<byte> source, ByteBuilder scratch)
{
    private readonly ReadOnlySpan<byte> _source = source;
    private int _position;
    private int _depth;
    private int _tokenStart;
    private JsonToken _token;
    private LuaValue _value;
    private string _problem = "";

    public LuaValue Decode()
    {
        Advance();
        LuaValue value = ParseValue();
        Advance();
        return _token == JsonToken.End ? value : throw Expected("the end");
    }

    private LuaValue ParseValue() =>
        _token switch
        {
            JsonToken.String or JsonToken.Number or JsonToken.Boolean or JsonToken.Null => _value,
            JsonToken.ObjectBegin => ParseObject(),
            JsonToken.ArrayBegin => ParseArray(),
            _ => throw Expected("value"),
        };

    private void Descend()
    {
        _depth++;
        if (_depth > Math.Min(options.DecodeMaxDepth, JsonEncoder.MaxDepth))
            throw call.Error($"Found too many nested data structures ({_depth}) at character {_position}");
    }

    private LuaValue ParseObject()
    {
        Descend();
        LuaTable table = call.State.Heap.NewTable();
        // Until its parent refers to it, the stack does: it is in use.
        call.Thread.Push(new LuaValue(table));
        Advance();
        if (_token != JsonToken.ObjectEnd)
        {
            while (true)
            {
                if (_token != JsonToken.String)
                    throw Expected("object key string");
                LuaValue key = _value;
                Advance();
                if (_token != JsonToken.Colon)
                    throw Expected("colon");
                Advance();
                LuaValue value = ParseValue();
                table.Set(key, value);
                Advance();
                if (_token == JsonToken.ObjectEnd)
                    break;
                if (_token != JsonToken.Comma)
                    throw Expected("comma or object end");
                Advance();
            }
        }

        _depth--;
        call.Thread.Top--;
        return new LuaValue(table);
    }

    private LuaValue ParseArray()
    {
        Descend();
        LuaTable table = call.State.Heap.NewTable();
        call.Thread.Push(new LuaValue(table));
        Advance();
        if (_token != JsonToken.ArrayEnd)
        {
            for (int i = 1; ; i++)
            {
                LuaValue value = ParseValue();
                table.Set(i, value);
                Advance();
                if (_token == JsonToken.ArrayEnd)
                    break;
                if (_token != JsonToken.Comma)
                    throw Expected("comma or array end");
                Advance();
            }
        }

        _depth--;
        call.Thread.Top--;
        return new LuaValue(table);
    }

    private readonly LuaException Expected(string what)
    {
        string found = _token switch
        {
            JsonToken.Error => _problem,
            JsonToken.ObjectBegin => "T_OBJ_BEGIN",
            JsonToken.ObjectEnd => "T_OBJ_END",
            JsonToken.ArrayBegin => "T_ARR_BEGIN",
            JsonToken.ArrayEnd => "T_ARR_END",
            JsonToken.String => "T_STRING",
            JsonToken.Number => "T_NUMBER",
            JsonToken.Boolean => "T_BOOLEAN",
            JsonToken.Null => "T_NULL",
            JsonToken.Colon => "T_COLON",
            JsonToken.Comma => "T_COMMA",
            _ => "T_END",
        };
        return call.Error($"Expected {what} but found {found} at character {_tokenStart + 1}");
    }

    // As in C, the source ends with a NUL.
    private readonly int At(int position) => position < _source.Length ? _source[position] : 0;

    private void Fail(string problem)
    {
        _token = JsonToken.Error;
        _problem = problem;
        _tokenStart = _position;
    }

    private void Advance()
    {
        call.State.ChargeInstructions(1);
        while (At(_position) is ' ' or '\t' or '\n' or '\r')
        {
            if ((++_position & 1023) == 0)
                call.State.ChargeInstructions(1024 >> 3);
        }

        _tokenStart = _position;
        int c = At(_position);
        _token = c switch
        {
            '{' => JsonToken.ObjectBegin,
            '}' => JsonToken.ObjectEnd,
            '[' => JsonToken.ArrayBegin,
            ']' => JsonToken.ArrayEnd,
            ',' => JsonToken.Comma,
            ':' => JsonToken.Colon,
            0 => JsonToken.End,
            _ => JsonToken.Error,
        };
        if (_token == JsonToken.End)
            return;
        if (_token != JsonToken.Error)
        {
            _position++;
            return;
        }

        switch (c)
        {
            case '"':
                ReadString();
                break;
            case '-' or (>= '0' and <= '9'):
                if (!options.DecodeInvalidNumbers && IsInvalidNumber())
                    Fail("invalid number");
                else
                    ReadNumber();
                break;
            case 't' when Matches("true"u8):
                ReadWord(4, JsonToken.Boolean, LuaValue.True);
                break;
            case 'f' when Matches("false"u8):
                ReadWord(5, JsonToken.Boolean, LuaValue.False);
                break;
            case 'n' when Matches("null"u8):
                ReadWord(4, JsonToken.Null, JsonLibrary.NullValue);
                break;
            case '+' or 'i' or 'I' or 'n' or 'N' when options.DecodeInvalidNumbers && IsInvalidNumber():
                ReadNumber();
                break;
            default:
                Fail("invalid token");
                break;
        }
    }

    private readonly bool Matches(ReadOnlySpan<byte> word) => _source[_position..].StartsWith(word);

    private void ReadWord(int length, JsonToken token, LuaValue value)
    {
        _position += length;
        _token = token;
        _value = value;
    }

    // Forms of numbers that C reads and JSON does not know.
    private readonly bool IsInvalidNumber()
    {
        int p = _position;
        if (At(p) == '+')
            return true;
        if (At(p) == '-')
            p++;
        if (At(p) == '0')
            return (At(p + 1) | 0x20) == 'x' || At(p + 1) is >= '0' and <= '9';
        if (At(p) <= '9')
            return false;
        int first = At(p) | 0x20;
        int second = At(p + 1) | 0x20;
        int third = At(p + 2) | 0x20;
        return (first == 'i' && second == 'n' && third == 'f') || (first == 'n' && second == 'a' && third == 'n');
    }

    private void ReadNumber()
    {
        int used = NumberText.ParsePrefix(_source[_position..], out double number);
        if (used == 0)
        {
            Fail("invalid number");
            return;
        }

        call.State.ChargeInstructions(used >> 2);
        _position += used;
        _token = JsonToken.Number;
        _value = new LuaValue(number);
    }

    private void ReadString()
    {
        _position++;
        ReadOnlySpan<byte> rest = _source[_position..];
        int plain = rest.IndexOfAny((byte)'"', (byte)'\\', (byte)0);
        if (plain >= 0 && rest[plain] == '"')
        {
            // No escapes: the usual case needs no copy in between.
            _position += plain + 1;
            Finish(rest[..plain]);
            return;
        }

        scratch.Reset();
        while (true)
        {
            int c = At(_position);
            switch (c)
            {
                case '"':
                    _position++;
                    Finish(scratch.Span);
                    return;
                case 0:
                    Fail("unexpected end of string");
                    return;
                case '\\':
                    if (!ReadEscape())
                        return;
                    break;
                default:
                    scratch.Append((byte)c);
                    _position++;
                    break;
            }

            if ((scratch.Length & 1023) == 0)
                call.State.ChargeInstructions(1024 >> 2);
        }
    }

    private void Finish(ReadOnlySpan<byte> text)
    {
        _token = JsonToken.String;
        _value = new LuaValue(call.State.Heap.NewString(text));
    }

    private bool ReadEscape()
    {
        int c = At(_position + 1);
        if (c == 'u')
        {
            if (ReadUnicode())
                return true;
            Fail("invalid unicode escape code");
            return false;
        }

        int translated = c switch
        {
            '"' or '\\' or '/' => c,
            'b' => 8,
            't' => 9,
            'n' => 10,
            'f' => 12,
            'r' => 13,
            _ => 0,
        };
        if (translated == 0)
        {
            Fail("invalid escape code");
            return false;
        }

        scratch.Append((byte)translated);
        _position += 2;
        return true;
    }

    private bool ReadUnicode()
    {
        int length = 6;
        int code = Hex4(_position + 2);
        if (code < 0)
            return false;
        if ((code & 0xF800) == 0xD800)
        {
            if ((code & 0x400) != 0 || At(_position + 6) != '\\' || At(_position + 7) != 'u')
                return false;
            int low = Hex4(_position + 8);
            if (low < 0 || (low & 0xFC00) != 0xDC00)
                return false;
            code = (((code & 0x3FF) << 10) | (low & 0x3FF)) + 0x10000;
            length = 12;
        }

        Span<byte> utf8 = stackalloc byte[4];
        int written = new System.Text.Rune(code).EncodeToUtf8(utf8);
        scratch.Append(utf8[..written]);
        _position += length;
        return true;
    }

    private readonly int Hex4(int position)
    {
        int value = 0;
        for (int i = 0; i < 4; i++)
        {
            int digit = HexDigit(At(position + i));
            if (digit < 0)
                return -1;
            value = (value << 4) | digit;
        }

        return value;
    }

    private static int HexDigit(int c) =>
        c switch
        {
            >= '0' and <= '9' => c - '0',
            >= 'a' and <= 'f' => c - 'a' + 10,
            >= 'A' and <= 'F' => c - 'A' + 10,
            _ => -1,
        };
}
