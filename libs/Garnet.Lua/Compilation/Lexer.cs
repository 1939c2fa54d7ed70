// Splits source code into tokens. One thread.
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

    private const int EndOfBytes = -1;

    private readonly byte[] _source;
    private readonly bool _sharesSource;
    private readonly string _name;
    private readonly Dictionary<string, LuaString> _strings = [];
    private readonly List<byte> _buffer = [];
    private int _position;
    private int _tokenStart;
    private Token? _ahead;

    /// <param name="source">The bytes, which are copied.</param>
    /// <param name="name">The name of the chunk in messages.</param>
    public Lexer(ReadOnlySpan<byte> source, string name)
        : this(source.ToArray(), 0, name) => _sharesSource = false;

    /// <param name="source">The bytes, which stay as they are: strings of the compiled code may be parts of them.</param>
    /// <param name="start">Where the code begins.</param>
    /// <param name="name">The name of the chunk in messages.</param>
    public Lexer(byte[] source, int start, string name)
    {
        _source = source;
        _position = start;
        _sharesSource = true;
        _name = name;
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
        if (_ahead is { } ahead)
        {
            Current = ahead;
            _ahead = null;
        }
        else
        {
            Current = Read();
        }
    }

    /// <summary>The token after the current one.</summary>
    public Token Peek() => _ahead ??= Read();

    /// <summary>One object for each content, so that comparing names is fast.</summary>
    public LuaString Intern(ReadOnlySpan<byte> bytes) => Intern(bytes, start: -1);

    // The content is also in the source, unless the start is negative.
    private LuaString Intern(ReadOnlySpan<byte> bytes, int start)
    {
        string key = Encoding.Latin1.GetString(bytes);
        if (!_strings.TryGetValue(key, out LuaString? text))
        {
            text =
                LibraryNames.Find(key)
                ?? (_sharesSource && start >= 0 ? new LuaString(_source, start, bytes.Length) : new LuaString(bytes.ToArray()));
            _ = text.Hash;
            _strings.Add(key, text);
        }

        return text;
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
    private LuaSyntaxException Malformed(string message) =>
        Near(message, Encoding.Latin1.GetString(_source.AsSpan(_tokenStart, _position - _tokenStart)));

    private string Describe(Token token) =>
        token.Kind switch
        {
            TokenKind.String => DescribeString(token.Text!),
            TokenKind.Name or TokenKind.Number => Encoding.Latin1.GetString(_source.AsSpan(_tokenStart, _position - _tokenStart)),
            TokenKind.Character => DescribeCharacter(token.Character),
            _ => Words[(int)token.Kind],
        };

    // With its delimiters, and escapes replaced.
    private string DescribeString(LuaString text)
    {
        if (_source[_tokenStart] is (byte)'"' or (byte)'\'')
            return $"{(char)_source[_tokenStart]}{text}{(char)_source[_tokenStart]}";
        int level = _source.AsSpan(_tokenStart + 1).IndexOf((byte)'[');
        string signs = new('=', level);
        return $"[{signs}[{text}]{signs}]";
    }

    private static string DescribeCharacter(byte character) =>
        character is < 32 or 127 ? string.Create(CultureInfo.InvariantCulture, $"char({character})") : ((char)character).ToString();

    private int At(int position) => position < _source.Length ? _source[position] : EndOfBytes;

    private Token Read()
    {
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
                        return new Token(TokenKind.String, Text: ReadLongString(level, "string"));
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
                    return new Token(TokenKind.String, Text: ReadString((byte)c));
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
                ReadLongString(level, "comment");
                return;
            }
        }

        while (At(_position) is not ('\n' or '\r' or EndOfBytes))
            _position++;
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

    private LuaString ReadLongString(int level, string what)
    {
        _buffer.Clear();
        _position += level + 2;
        if (At(_position) is '\n' or '\r')
            SkipLineBreak();
        while (true)
        {
            int c = At(_position);
            switch (c)
            {
                case EndOfBytes:
                    throw Near($"unfinished long {what}", Words[(int)TokenKind.EndOfSource]);
                case ']' when IsClosing(level):
                    _position += level + 2;
                    return Intern(System.Runtime.InteropServices.CollectionsMarshal.AsSpan(_buffer));
                case '\n' or '\r':
                    _buffer.Add((byte)'\n');
                    SkipLineBreak();
                    break;
                default:
                    _buffer.Add((byte)c);
                    _position++;
                    break;
            }
        }
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

    private LuaString ReadString(byte quote)
    {
        _buffer.Clear();
        _position++;
        while (true)
        {
            int c = At(_position);
            if (c == quote)
            {
                _position++;
                bool hasEscapes = _buffer.Count != _position - _tokenStart - 2;
                ReadOnlySpan<byte> content = System.Runtime.InteropServices.CollectionsMarshal.AsSpan(_buffer);
                return Intern(content, hasEscapes ? -1 : _tokenStart + 1);
            }

            switch (c)
            {
                case EndOfBytes:
                    throw Near("unfinished string", Words[(int)TokenKind.EndOfSource]);
                case '\n' or '\r':
                    throw Near("unfinished string", UnfinishedText(quote));
                case '\\':
                    ReadEscape();
                    break;
                default:
                    _buffer.Add((byte)c);
                    _position++;
                    break;
            }
        }
    }

    // Messages show strings as far as they were understood: with their opening quote, escapes replaced.
    private string UnfinishedText(byte quote) => (char)quote + Encoding.Latin1.GetString([.. _buffer]);

    private void ReadEscape()
    {
        _position++;
        int c = At(_position);
        switch (c)
        {
            case EndOfBytes:
                return;
            case '\n' or '\r':
                _buffer.Add((byte)'\n');
                SkipLineBreak();
                return;
            case >= '0' and <= '9':
            {
                int value = 0;
                for (int i = 0; i < 3 && IsDigit(At(_position)); i++)
                    value = (value * 10) + (_source[_position++] - '0');
                if (value > byte.MaxValue)
                    throw Near("escape sequence too large", UnfinishedText(_source[_tokenStart]));
                _buffer.Add((byte)value);
                return;
            }

            default:
                _buffer.Add(
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
        while (IsDigit(At(_position)) || IsNameStart(At(_position)))
            _position++;
        ReadOnlySpan<byte> bytes = _source.AsSpan(_tokenStart, _position - _tokenStart);
        if (bytes.Length <= 8)
        {
            string word = Encoding.Latin1.GetString(bytes);
            int index = Array.BinarySearch(Words, 0, (int)TokenKind.While + 1, word, StringComparer.Ordinal);
            if (index >= 0)
                return new Token((TokenKind)index);
        }

        return new Token(TokenKind.Name, Text: Intern(bytes, _tokenStart));
    }
}
