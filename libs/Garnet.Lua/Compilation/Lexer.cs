// Splits source code into tokens. One thread.
using System.Buffers;
using System.Globalization;
using System.Text;
using Garnet.Lua.Values;

namespace Garnet.Lua.Compilation;

/// <summary>Reads tokens from bytes, one at a time with one token of look-ahead.</summary>
internal sealed class Lexer
{
    private static readonly string[] Words =
    [
        "and",
        "break",
        "do",
        "else",
        "elseif",
        "end",
        "false",
        "for",
        "function",
        "if",
        "in",
        "local",
        "nil",
        "not",
        "or",
        "repeat",
        "return",
        "then",
        "true",
        "until",
        "while",
        "..",
        "...",
        "==",
        ">=",
        "<=",
        "~=",
        "<number>",
        "<name>",
        "<string>",
        "<eof>",
    ];

    // What ends a run of plain bytes in a string.
    private static readonly SearchValues<byte> DoubleQuoted = SearchValues.Create("\"\\\n\r"u8);
    private static readonly SearchValues<byte> SingleQuoted = SearchValues.Create("'\\\n\r"u8);

    private const int EndOfBytes = -1;
    private const int MaxShown = 8 * 1024;

    private readonly byte[] _source;
    private readonly bool _sharesSource;
    private readonly string _name;
    private readonly CompilationMeter? _meter;
    private readonly SymbolTable _symbols;
    private byte[] _buffer = [];
    private int _buffered;
    private int _position;
    private int _tokenStart;
    private Token _ahead;
    private bool _hasAhead;

    /// <param name="source">The bytes, which are copied.</param>
    /// <param name="name">The name of the chunk in messages.</param>
    /// <param name="meter">Counts what the source takes, or null.</param>
    public Lexer(ReadOnlySpan<byte> source, string name, CompilationMeter? meter = null)
        : this(Copy(source, meter), 0, name, meter) => _sharesSource = false;

    /// <param name="source">The bytes, which stay as they are: strings of the compiled code may be parts of them.</param>
    /// <param name="start">Where the code begins.</param>
    /// <param name="name">The name of the chunk in messages.</param>
    /// <param name="meter">Counts what the source takes, or null.</param>
    public Lexer(byte[] source, int start, string name, CompilationMeter? meter = null)
    {
        _source = source;
        _position = start;
        _sharesSource = true;
        _name = name;
        _meter = meter;
        _symbols = new SymbolTable(meter);
        meter?.CountSource(source.Length);
        // A first line that begins with # is a comment for Unix; scripts arrive without it.
        Line = 1;
        LastLine = 1;
    }

    /// <summary>The current token.</summary>
    public Token Current { get; private set; }

    /// <summary>The line up to which the source has been read.</summary>
    public int Line { get; private set; }

    /// <summary>The line on which the token before the current one ended.</summary>
    public int LastLine { get; private set; }

    public void Next()
    {
        LastLine = Line;
        if (_hasAhead)
        {
            Current = _ahead;
            _hasAhead = false;
        }
        else
        {
            Current = Read();
        }
    }

    /// <summary>The token after the current one.</summary>
    public Token Peek()
    {
        if (!_hasAhead)
        {
            _ahead = Read();
            _hasAhead = true;
        }

        return _ahead;
    }

    /// <summary>The symbol of a name that is not in the source.</summary>
    public Symbol Intern(ReadOnlySpan<byte> name) => _symbols.Get(name, kept: null, 0);

    private static byte[] Copy(ReadOnlySpan<byte> source, CompilationMeter? meter)
    {
        meter?.CountBytes(source.Length);
        return source.ToArray();
    }

    private Symbol InternFromSource(int start, int length) =>
        _symbols.Get(_source.AsSpan(start, length), _sharesSource ? _source : null, start);

    private void AddToBuffer(byte value)
    {
        if (_buffered == _buffer.Length)
            GrowBuffer(1);
        _buffer[_buffered++] = value;
    }

    private void AddToBuffer(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length > _buffer.Length - _buffered)
            GrowBuffer(bytes.Length);
        bytes.CopyTo(_buffer.AsSpan(_buffered));
        _buffered += bytes.Length;
    }

    private void GrowBuffer(int needed)
    {
        int length = Math.Max(_buffered + needed, Math.Max(64, _buffer.Length * 2));
        _meter?.CountBytes(length);
        Array.Resize(ref _buffer, length);
    }

    /// <summary>An error at the current token.</summary>
    public LuaSyntaxException Unexpected(string message) =>
        Current is { Kind: TokenKind.Character, Character: 0 } ? Error(message) : Near(message, Describe(Current));

    /// <summary>An error without the token.</summary>
    public LuaSyntaxException Error(string message) => new(string.Create(CultureInfo.InvariantCulture, $"{_name}:{Line}: {message}"));

    public static string Describe(TokenKind kind) => Words[(int)kind];

    // The token up to a NUL, with which a text ends in C.
    private LuaSyntaxException Near(string message, string token) => Error($"{message} near '{CText.UpToZero(token)}'");

    // An error in the token that is being read.
    private LuaSyntaxException Malformed(string message) => Near(message, TokenText());

    // What was read of the token; a message needs no more than its beginning.
    private string TokenText() => Encoding.Latin1.GetString(_source.AsSpan(_tokenStart, Math.Min(_position - _tokenStart, MaxShown)));

    private string Describe(Token token) =>
        token.Kind switch
        {
            TokenKind.String => DescribeString(token.Symbol!.Text),
            TokenKind.Name or TokenKind.Number => TokenText(),
            TokenKind.Character => DescribeCharacter(token.Character),
            _ => Words[(int)token.Kind],
        };

    // With its delimiters, and escapes replaced.
    private string DescribeString(LuaString text)
    {
        if (_source[_tokenStart] is (byte)'"' or (byte)'\'')
            return $"{(char)_source[_tokenStart]}{text.ToShownText()}{(char)_source[_tokenStart]}";
        int level = _source.AsSpan(_tokenStart + 1).IndexOf((byte)'[');
        string signs = new('=', Math.Min(level, MaxShown));
        return $"[{signs}[{text.ToShownText()}]{signs}]";
    }

    private static string DescribeCharacter(byte character) =>
        character is < 32 or 127 ? string.Create(CultureInfo.InvariantCulture, $"char({character})") : ((char)character).ToString();

    private int At(int position) => position < _source.Length ? _source[position] : EndOfBytes;

    private Token Read()
    {
        _meter?.CountToken();
        while (true)
        {
            _tokenStart = _position;
            int c = At(_position);
            switch (c)
            {
                case EndOfBytes:
                    return new Token(TokenKind.EndOfSource);
                case '\n' or '\r':
                    SkipLineBreak();
                    continue;
                case ' ' or '\t' or '\v' or '\f':
                    _position++;
                    continue;
                case '-' when At(_position + 1) == '-':
                    SkipComment();
                    continue;
                case '[':
                {
                    int level = LongBracketLevel();
                    if (level >= 0)
                        return new Token(TokenKind.String, Symbol: ReadLongString(level, "string")!);
                    if (level == -1)
                        return Character((byte)'[');
                    _position++;
                    while (At(_position) == '=')
                        _position++;
                    throw Malformed("invalid long string delimiter");
                }

                case '=' when At(_position + 1) == '=':
                    return Operator(TokenKind.Equal, 2);
                case '<' when At(_position + 1) == '=':
                    return Operator(TokenKind.LessEqual, 2);
                case '>' when At(_position + 1) == '=':
                    return Operator(TokenKind.GreaterEqual, 2);
                case '~' when At(_position + 1) == '=':
                    return Operator(TokenKind.NotEqual, 2);
                case '"' or '\'':
                    return new Token(TokenKind.String, Symbol: ReadString((byte)c));
                case '.' when IsOrZero(At(_position + 1), '.'):
                    return IsOrZero(At(_position + 2), '.') ? Operator(TokenKind.Dots, 3) : Operator(TokenKind.Concatenate, 2);
                case '.' when IsDigit(At(_position + 1)):
                    return ReadNumber();
                default:
                    if (IsDigit(c))
                        return ReadNumber();
                    return IsNameStart(c) ? ReadName() : Character((byte)c);
            }
        }
    }

    private Token Character(byte character)
    {
        _position++;
        return new Token(TokenKind.Character, character);
    }

    private Token Operator(TokenKind kind, int length)
    {
        _position += length;
        return new Token(kind);
    }

    // Lua 5.1 looks a character up in a C string, which has a NUL at its end.
    private static bool IsOrZero(int c, char expected) => c == expected || c == 0;

    private static readonly bool[] NameBytes = FindNameBytes();

    private static bool[] FindNameBytes()
    {
        bool[] isName = new bool[256];
        for (int c = 0; c < isName.Length; c++)
            isName[c] = IsDigit(c) || IsNameStart(c);
        return isName;
    }

    private static bool IsDigit(int c) => c is >= '0' and <= '9';

    private static bool IsNameStart(int c) => c is '_' or (>= 'a' and <= 'z') or (>= 'A' and <= 'Z');

    // Skips \n, \r, \r\n or \n\r.
    private void SkipLineBreak()
    {
        int first = _source[_position++];
        if (At(_position) is '\n' or '\r' && At(_position) != first)
            _position++;
        Line++;
    }

    private void SkipComment()
    {
        _position += 2;
        if (At(_position) == '[')
        {
            int level = LongBracketLevel();
            if (level >= 0)
            {
                ReadLongString(level, what: null);
                return;
            }
        }

        int length = _source.AsSpan(_position).IndexOfAny((byte)'\n', (byte)'\r');
        _position = length < 0 ? _source.Length : _position + length;
    }

    // The number of = signs of an opening long bracket; -1 if only [ is there, -2 if signs follow but no second [.
    private int LongBracketLevel()
    {
        int end = _position + 1;
        while (At(end) == '=')
            end++;
        int level = end - _position - 1;
        if (At(end) == '[')
            return level;
        return level == 0 ? -1 : -2;
    }

    // Null for a comment, whose content is not kept.
    private Symbol? ReadLongString(int level, string? what)
    {
        _buffered = 0;
        _position += level + 2;
        if (At(_position) is '\n' or '\r')
            SkipLineBreak();
        while (true)
        {
            int plain = _source.AsSpan(_position).IndexOfAny((byte)']', (byte)'\n', (byte)'\r');
            if (plain < 0)
            {
                _position = _source.Length;
                throw Near($"unfinished long {what ?? "comment"}", Words[(int)TokenKind.EndOfSource]);
            }

            if (what is not null)
                AddToBuffer(_source.AsSpan(_position, plain));
            _position += plain;
            byte c = _source[_position];
            if (c != ']')
            {
                AddToContent((byte)'\n', what);
                SkipLineBreak();
            }
            else if (IsClosing(level))
            {
                _position += level + 2;
                return what is null ? null : Intern(_buffer.AsSpan(0, _buffered));
            }
            else
            {
                AddToContent(c, what);
                _position++;
            }
        }
    }

    private void AddToContent(byte value, string? what)
    {
        if (what is not null)
            AddToBuffer(value);
    }

    private bool IsClosing(int level)
    {
        for (int i = 1; i <= level; i++)
        {
            if (At(_position + i) != '=')
                return false;
        }

        return At(_position + level + 1) == ']';
    }

    private Symbol ReadString(byte quote)
    {
        _position++;
        int first = _position;
        int plain = _source.AsSpan(first).IndexOfAny(quote == '"' ? DoubleQuoted : SingleQuoted);
        if (plain >= 0 && _source[first + plain] == quote)
        {
            // No escapes, which is usual: the content is a part of the source.
            _position = first + plain + 1;
            return InternFromSource(first, plain);
        }

        _buffered = 0;
        while (true)
        {
            plain = _source.AsSpan(_position).IndexOfAny(quote == '"' ? DoubleQuoted : SingleQuoted);
            if (plain < 0)
            {
                _position = _source.Length;
                throw Near("unfinished string", Words[(int)TokenKind.EndOfSource]);
            }

            AddToBuffer(_source.AsSpan(_position, plain));
            _position += plain;
            switch (_source[_position])
            {
                case (byte)'\\':
                    ReadEscape();
                    break;
                case (byte)'\n' or (byte)'\r':
                    throw Near("unfinished string", UnfinishedText(quote));
                default:
                    _position++;
                    return Intern(_buffer.AsSpan(0, _buffered));
            }
        }
    }

    // Messages show strings as far as they were understood: with their opening quote, escapes replaced.
    private string UnfinishedText(byte quote) => (char)quote + Encoding.Latin1.GetString(_buffer.AsSpan(0, Math.Min(_buffered, MaxShown)));

    private void ReadEscape()
    {
        _position++;
        int c = At(_position);
        switch (c)
        {
            case EndOfBytes:
                return;
            case '\n' or '\r':
                AddToBuffer((byte)'\n');
                SkipLineBreak();
                return;
            case >= '0' and <= '9':
            {
                int value = 0;
                for (int i = 0; i < 3 && IsDigit(At(_position)); i++)
                    value = (value * 10) + (_source[_position++] - '0');
                if (value > byte.MaxValue)
                    throw Near("escape sequence too large", UnfinishedText(_source[_tokenStart]));
                AddToBuffer((byte)value);
                return;
            }

            default:
                AddToBuffer(
                    c switch
                    {
                        'a' => (byte)7,
                        'b' => (byte)8,
                        'f' => (byte)12,
                        'n' => (byte)10,
                        'r' => (byte)13,
                        't' => (byte)9,
                        'v' => (byte)11,
                        _ => (byte)c,
                    }
                );
                _position++;
                return;
        }
    }

    private Token ReadNumber()
    {
        while (IsDigit(At(_position)) || At(_position) == '.')
            _position++;
        if (At(_position) == 'E' || IsOrZero(At(_position), 'e'))
        {
            _position++;
            if (At(_position) == '+' || IsOrZero(At(_position), '-'))
                _position++;
        }

        while (IsDigit(At(_position)) || IsNameStart(At(_position)))
            _position++;
        return NumberText.TryParse(_source.AsSpan(_tokenStart, _position - _tokenStart), out double number)
            ? new Token(TokenKind.Number, Number: number)
            : throw Malformed("malformed number");
    }

    private Token ReadName()
    {
        byte[] source = _source;
        int end = _position + 1;
        while (end < source.Length && NameBytes[source[end]])
            end++;
        _position = end;
        ReadOnlySpan<byte> bytes = source.AsSpan(_tokenStart, end - _tokenStart);
        TokenKind keyword = KeywordOf(bytes);
        return keyword != TokenKind.Name
            ? new Token(keyword)
            : new Token(TokenKind.Name, Symbol: InternFromSource(_tokenStart, bytes.Length));
    }

    // The reserved word, or a name.
    private static TokenKind KeywordOf(ReadOnlySpan<byte> name)
    {
        if (name.Length is < 2 or > 8)
            return TokenKind.Name;
        return name[0] switch
        {
            (byte)'a' when name.SequenceEqual("and"u8) => TokenKind.And,
            (byte)'b' when name.SequenceEqual("break"u8) => TokenKind.Break,
            (byte)'d' when name.SequenceEqual("do"u8) => TokenKind.Do,
            (byte)'e' when name.SequenceEqual("end"u8) => TokenKind.End,
            (byte)'e' when name.SequenceEqual("else"u8) => TokenKind.Else,
            (byte)'e' when name.SequenceEqual("elseif"u8) => TokenKind.ElseIf,
            (byte)'f' when name.SequenceEqual("for"u8) => TokenKind.For,
            (byte)'f' when name.SequenceEqual("false"u8) => TokenKind.False,
            (byte)'f' when name.SequenceEqual("function"u8) => TokenKind.Function,
            (byte)'i' when name.SequenceEqual("if"u8) => TokenKind.If,
            (byte)'i' when name.SequenceEqual("in"u8) => TokenKind.In,
            (byte)'l' when name.SequenceEqual("local"u8) => TokenKind.Local,
            (byte)'n' when name.SequenceEqual("nil"u8) => TokenKind.Nil,
            (byte)'n' when name.SequenceEqual("not"u8) => TokenKind.Not,
            (byte)'o' when name.SequenceEqual("or"u8) => TokenKind.Or,
            (byte)'r' when name.SequenceEqual("return"u8) => TokenKind.Return,
            (byte)'r' when name.SequenceEqual("repeat"u8) => TokenKind.Repeat,
            (byte)'t' when name.SequenceEqual("then"u8) => TokenKind.Then,
            (byte)'t' when name.SequenceEqual("true"u8) => TokenKind.True,
            (byte)'u' when name.SequenceEqual("until"u8) => TokenKind.Until,
            (byte)'w' when name.SequenceEqual("while"u8) => TokenKind.While,
            _ => TokenKind.Name,
        };
    }
}
