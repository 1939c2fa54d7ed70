// Makes scripts that do something costly: library functions and operators on large operands, once or without end. One thread; the seed
// decides everything.
namespace Garnet.Attack.Tests.Generator;

/// <summary>Random programs: operands, then a loop over a few operations, each of which may fail.</summary>
internal sealed class ScriptGenerator(int seed)
{
    // Expressions of a value; S is a text, N a number, T a table, F a function, P a pattern.
    private static readonly string[] Texts =
    [
        "('x'):rep(N)",
        "('ab'):rep(N)",
        "(' '):rep(N)",
        "('1'):rep(N)",
        "('%1'):rep(1000)",
        "('a=1 '):rep(N)",
        "('{},'):rep(N)",
        "'{' .. ('1,'):rep(N) .. '}'",
        "'[' .. ('[1],'):rep(N) .. '0]'",
        "'{' .. ('\"k\":{\"a\":\"\\\\u00e9\"},'):rep(N) .. '\"z\":1}'",
        "('\\145\\1'):rep(N)",
        "'\\221\\0\\15\\66\\64' .. ('\\145\\1'):rep(N)",
        "('('):rep(N)",
        "'0x' .. ('f'):rep(N)",
        "('bi4'):rep(N)",
        "('s'):rep(N)",
        "string.char(0, 1, 255)",
        "'return ' .. ('\"a\" .. '):rep(100) .. '1'",
        "('local a' .. N .. '=b.c ')",
        "'function f() ' .. ('do local x = y.z end '):rep(N) .. 'end'",
        "'x'",
        "''",
    ];

    private static readonly string[] Numbers =
    [
        "0",
        "1",
        "-1",
        "10",
        "1000",
        "7990",
        "100000",
        "1000000",
        "10000000",
        "100000000",
        "2^31",
        "1e300",
        "1/0",
        "0/0",
        "0.5",
    ];

    private static readonly string[] Patterns =
    [
        "'.-.-.-b'",
        "'(.*)(.*)(.*)x'",
        "('a?'):rep(200)",
        "'%b()'",
        "'%f[%w]%w+'",
        "'[' .. ('x'):rep(100000) .. ']*z'",
        "'^(x*)%1$'",
        "'()'",
        "'.'",
        "('x'):rep(1000) .. 'y'",
        "'%s*$'",
    ];

    private static readonly string[] Tables =
    [
        "array(N)",
        "hash(N)",
        "emptied(N)",
        "nested(N)",
        "{}",
        "setmetatable({}, {__index = function(t, k) return k end})",
        "setmetatable({}, {__lt = function() return true end, __le = function() return false end, __concat = function(a, b) return 'x' end})",
        "{[2^40] = 1, [-1] = 2, x = 3}",
    ];

    private static readonly string[] Functions =
    [
        "function(a, b) return a end",
        "function(a, b) return tostring(a) < tostring(b) end",
        "function() return ('x'):rep(10000) end",
        "function() error('x') end",
        "function(...) return ... end",
        "tostring",
        "coroutine.wrap(function() while true do coroutine.yield('x') end end)",
    ];

    private static readonly string[] Operations =
    [
        "return S == S",
        "return S < S",
        "return S .. S .. N",
        "return #S",
        "return T[S]",
        "local t = T t[S] = N t[N] = S",
        "local t = T for i = 1, N do t[i] = S end",
        "local t = T for i = 1, N do t[i % 100 .. ''] = i end",
        "return next(T)",
        "for k, v in pairs(T) do local x = k end",
        "for k, v in ipairs(T) do local x = v end",
        "return unpack(T, 1, N)",
        "return select(N, unpack(T, 1, 7000))",
        "return S + N",
        "return tonumber(S)",
        "return tonumber(S, 16)",
        "return tostring(T)",
        "return rawequal(S, S)",
        "return loadstring(S)",
        "return load(F)",
        "local k = {} for i = 1, N do k[i] = loadstring('return 1') end",
        "error(S)",
        "error(T)",
        "assert(false, S)",
        "xpcall(F, F)",
        "collectgarbage()",
        "return collectgarbage('count')",
        "return S:byte(1, N)",
        "return S:find(S, N, true)",
        "return S:find(P)",
        "return S:match(P)",
        "return S:gsub(P, S)",
        "return S:gsub(P, F)",
        "return S:gsub(P, T)",
        "for w in S:gmatch(P) do local x = w end",
        "local k = {} for i = 1, N do k[i] = S:gmatch(P) end",
        "return S:rep(N)",
        "return S:reverse()",
        "return S:upper()",
        "return S:lower()",
        "return S:sub(N, -N)",
        "return S:len()",
        "return string.format('%s %q %d %99.99f', S, S, N, N)",
        "return string.format(S, N)",
        "return string.char(unpack(T, 1, 7000))",
        "return table.concat(T, S)",
        "return table.concat(T, ',', 1, N)",
        "table.insert(T, 1, S)",
        "return table.remove(T, 1)",
        "table.sort(T)",
        "table.sort(T, F)",
        "table.foreach(T, F)",
        "table.foreachi(T, F)",
        "return table.maxn(T)",
        "return math.max(unpack(T, 1, 7000))",
        "return math.floor(S)",
        "return bit.bor(unpack(T, 1, 7000))",
        "return bit.tohex(N, N)",
        "return cjson.encode(T)",
        "return cjson.encode(S)",
        "return cjson.decode(S)",
        "local k = {} for i = 1, N do k[i] = cjson.new() end",
        "return cmsgpack.pack(T)",
        "return cmsgpack.pack(S, S)",
        "return cmsgpack.unpack(S)",
        "return cmsgpack.unpack_limit(S, N)",
        "return struct.pack(S, N)",
        "return struct.unpack(S, S)",
        "return struct.size(S)",
        "local k = {} for i = 1, N do k[i] = coroutine.create(F) end",
        "local k = {} for i = 1, N do k[i] = function() return k end end",
        "local function f(n) if n > 0 then return 1 + f(n - 1) end return 0 end return f(N)",
        "local function f(n, ...) if n == 0 then return ... end return f(n - 1, n, ...) end return f(N)",
        "return redis.sha1hex(S)",
        "return redis.call('echo', S)",
        "return redis.call('set', 'script', S)",
        "return redis.call('lrange', 'list', 0, N)",
        "return redis.call('hgetall', 'hash')",
        "return redis.pcall(S)",
        "return redis.error_reply(S)",
        "return redis.status_reply(S)",
    ];

    private const string Prelude =
        "local function array(n) local t = {} for i = 1, math.min(n, 100000) do t[i] = i end return t end "
        + "local function hash(n) local t = {} for i = 1, math.min(n, 100000) do t['k' .. i] = i end return t end "
        + "local function emptied(n) local t = array(n) for i = 1, #t do t[i] = nil end return t end "
        + "local function nested(n) local t = {} for i = 1, math.min(n, 500) do t = {t, t} end return t end ";

    private readonly Random _random = new(seed);

    /// <summary>The next script.</summary>
    public string Next()
    {
        string operands = "local s1, s2, t1, f1 = nil pcall(function() s1 = S s2 = S t1 = T f1 = F end) ";
        string body = "";
        for (int i = _random.Next(1, 4); i > 0; i--)
            body += $"pcall(function() {Choose(Operations)} end) ";
        string loop = _random.Next(3) switch
        {
            0 => body,
            1 => $"for i = 1, {Choose(["10", "1000", "100000"])} do {body} end",
            _ => $"while true do {body} end",
        };
        string last = _random.Next(4) == 0 ? Choose(Operations) : "return 1";
        return Prelude + Fill(operands, isOperand: true) + Fill(loop, isOperand: false) + " " + Fill(last, isOperand: false);
    }

    // Replaces the letters that stand for operands: by the prepared ones, which cost nothing in the loop, or by expressions.
    private string Fill(string template, bool isOperand)
    {
        var text = new System.Text.StringBuilder();
        for (int i = 0; i < template.Length; i++)
        {
            bool isWord =
                (i > 0 && (char.IsAsciiLetterOrDigit(template[i - 1]) || template[i - 1] is '_' or '\\' or '%'))
                || (i + 1 < template.Length && (char.IsAsciiLetterOrDigit(template[i + 1]) || template[i + 1] == '_'));
            bool isPrepared = !isOperand && _random.Next(4) != 0;
            text.Append(
                (isWord ? ' ' : template[i]) switch
                {
                    'S' => isPrepared ? Choose(["s1", "s2"]) : $"({Fill(Choose(Texts), isOperand: true)})",
                    'N' => Choose(Numbers),
                    'P' => Choose(Patterns),
                    'T' => isPrepared ? "t1" : Fill(Choose(Tables), isOperand: true),
                    'F' => isPrepared ? "f1" : Choose(Functions),
                    _ => template[i].ToString(),
                }
            );
        }

        return text.ToString();
    }

    private string Choose(string[] from) => from[_random.Next(from.Length)];
}
