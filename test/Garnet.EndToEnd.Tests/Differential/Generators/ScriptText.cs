// Seeded random Lua scripts and libraries of functions. One thread.
using System.Globalization;
using System.Text;

namespace Garnet.EndToEnd.Tests.Differential.Generators;

/// <summary>
/// Short scripts that end soon: calls of commands, the server's functions, libraries, and values of all types as replies. They avoid what
/// depends on the process: addresses, times, and the order of a collection's elements; and OBJECT ENCODING, because Valkey keeps a number
/// as text if MSET was called by a script, which still owns the argument.
/// </summary>
internal sealed class ScriptText(ArgumentSource source, bool isValkey)
{
    private const int MaxDepth = 3;

    private static readonly string[] Texts =
    [
        "",
        "a",
        "abc",
        "10",
        "-1",
        "3.7",
        " 12 ",
        "0x1F",
        "1e3",
        "nan",
        "hello world",
        "a,b,,c",
        "x\r\ny",
        "a\0b",
        "\u00ff\u0080",
        "OK",
        "ERR mine",
        "-ERR mine",
        "WRONG",
        "%d%%",
        "[1,2,{\"a\":null}]",
    ];

    private static readonly string[] Numbers =
    [
        "0",
        "1",
        "2",
        "3",
        "-1",
        "7",
        "255",
        "3.99",
        "-3.99",
        "1e15",
        "1e17",
        "123456789012",
        "9007199254740993",
        "2^53",
        "2^63",
        "-2^63",
        "1e300",
        "-0",
        "0.1",
        "1/3",
        "1/0",
        "-1/0",
        "0/0",
        "0x7fffffff",
        "4294967296",
    ];

    private static readonly string[] BitFunctions = ["band", "bor", "bxor", "lshift", "rshift", "arshift", "rol", "bnot", "bswap"];
    private static readonly string[] Formats = ["%d", "%5.2f", "%s", "%q", "%g", "%c", "%i|%s", "%5s", "%-5d|", "%e", "%z", "%"];
    private static readonly string[] Patterns = ["%a", "%d+", "(.)", ",", "^a", ".-", "%", "[", "%s*$"];
    private static readonly string[] Replacements = ["x", "%0%0", "%1", "", "%2", "%"];
    private static readonly string[] Packed = ["\u0001", "\u0093\u0001\u0002\u0003", "\u00c1", "\u00cb", "\u0081\u00a1a\u00a1b", ""];
    private static readonly string[] Checks =
    [
        "'get', 'k1'",
        "'nosuch'",
        "",
        "'set', 'k1', 1",
        "'config|get', 'x'",
        "{}",
        "'client', 'id'",
    ];
    private static readonly string[] Constants = ["REPL_ALL", "REPL_AOF", "LOG_WARNING", "LOG_NOTICE", "nothing", "replicate_commands()"];

    private const string TypesOf =
        "function(r) local t = {} for n, e in pairs(type(r) == 'table' and r or {r}) do t[#t + 1] = type(n) .. type(e) end return t end";

    private static readonly string[] Globals = ["string", "table", "math", "cjson", "KEYS", "ARGV", "redis", "bit", "_G", "pairs"];

    private int _depth;

    /// <summary>The variables that hold keys and arguments.</summary>
    private (string Keys, string Arguments) _names = ("KEYS", "ARGV");

    /// <summary>A script for EVAL.</summary>
    public string Script()
    {
        _names = ("KEYS", "ARGV");
        return Shebang() + Body();
    }

    /// <summary>A library of a few functions.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="functions">The names of its functions.</param>
    public string Library(string name, string[] functions)
    {
        _names = ("k", "a");
        var text = new StringBuilder();
        text.Append(
            source.OneIn(25) ? source.Pick("#!lua", "#!lua nam=x", "#!js name=lib1", "--", "#!lua name=a-b") : "#!lua name=" + name
        );
        text.Append('\n').Append(source.OneIn(2) ? "local kept = 0\n" : "");
        bool keeps = text[^2] == '0';
        foreach (string function in functions)
        {
            string body = (keeps && source.OneIn(2) ? "kept = kept + 1 if #a == 0 then return kept end " : "") + Body();
            text.Append(
                source.OneIn(2)
                    ? $"{Server}.register_function('{function}', function(k, a) {body} end)\n"
                    : $"{Server}.register_function{{function_name='{function}', callback=function(k, a) {body} end{Details()}}}\n"
            );
        }

        if (source.OneIn(20))
            text.Append(source.Pick("return x.y", $"{Server}.call('ping')", "error('no')", "local x =", "y = 1", "kept()"));
        return text.ToString();
    }

    private string Server => isValkey && source.OneIn(4) ? "server" : "redis";

    private string Shebang() =>
        !source.OneIn(6)
            ? ""
            : source.Pick(
                "#!lua\n",
                "#!lua flags=no-writes\n",
                "#!lua flags=no-writes\n",
                "#!lua flags=allow-oom\n",
                "#!lua flags=no-writes,allow-stale\n",
                "#!lua flags=bogus\n",
                "#!lua flags=\n",
                "#!lua  \n",
                "#!lua"
            );

    private string Details()
    {
        var text = new StringBuilder();
        if (source.OneIn(2))
            text.Append($", description={Quote(isValkey ? source.Pick(Texts) : "what it does")}");
        string flags = source.Pick("'no-writes'", "'no-writes'", "'allow-oom'", "", "'no-writes', 'allow-stale'", "'bogus'");
        if (source.OneIn(2))
            text.Append($", flags={{{flags}}}");
        // Of two wrong arguments, the order of the table decides which is reported.
        if (isValkey && source.OneIn(20))
            text.Append(source.Pick(", other=1", ", flags=1", ", description={}", ", [1]=2"));
        return text.ToString();
    }

    // Some statements, then a value.
    private string Body()
    {
        var text = new StringBuilder();
        for (int i = source.Random.Next(4); i > 0; i--)
            text.Append(Statement()).Append(' ');
        text.Append("return ").Append(source.OneIn(2) ? Call() : Any());
        if (source.OneIn(60))
            text.Append(source.Pick(" end", ")", " =", " 'x", " goto"));
        return text.ToString();
    }

    private string Statement() =>
        source.Random.Next(16) switch
        {
            <= 5 => $"local v = {Call()}",
            6 => $"if {Any()} then {Call()} else {Call()} end".Replace(
                "then redis.pcall",
                "then local _ = redis.pcall",
                StringComparison.Ordinal
            ),
            7 => $"for i = 1, {source.Random.Next(4)} do {Plain($"'incrby', {Key()}, i")} end",
            8 => $"for _, e in ipairs({Table()}) do {Plain($"'rpush', {Key()}, {source.Pick("'e'", "type(e)")}")} end",
            9 => $"local ok, e = pcall(function() return {Any()} end) if not ok then return {source.Pick("e", "{type(e), e}")} end",
            10 => $"if {source.Pick("true", "false", $"#{_names.Keys} > 1", $"#{_names.Arguments} > 1")} then return {Raise()} end",
            11 => $"{Server}.setresp({source.Pick("3", "3", "3", "2", "4", "'3'", "")})",
            12 => $"local v = {source.Pick(Globals)}{source.Pick("", ".nothing", ".x")} if type(v) == 'nil' then return 'nil' end",
            13 => source.Pick(
                "x = 1",
                "KEYS = {'k1'}",
                "string.x = 1",
                "redis.call = nil",
                "local t = {} t[nil] = 1",
                "return nosuch",
                "local s = '' .. nil"
            ),
            _ => Plain(Command()),
        };

    private string Raise() =>
        source.Random.Next(7) switch
        {
            0 => $"error({Text()})",
            1 => $"error({{err={(isValkey ? Text() : Quote(source.Pick(Texts)))}}})",
            2 => $"{Server}.error_reply({Text()})",
            3 => $"{Server}.status_reply({Text()})",
            4 => source.Pick("error()", "error(nil)", "error(12)", "error(true)", "error('x', 0)", "error('x', 2)", NoText()),
            5 => $"{{err={Text()}}}",
            _ => $"{{ok={Text()}}}",
        };

    // Redis 7.0 ends with an error that has no text.
    private string NoText() => isValkey ? source.Pick("error({})", "error({err=1})", "error({err={}})") : "error({err='x'})";

    private string Plain(string command) => $"{Server}.{source.Pick("call", "call", "pcall")}({command})";

    /// <summary>A call whose value can be replied with or looked at.</summary>
    private string Call()
    {
        string command = Command();
        return source.Random.Next(12) switch
        {
            <= 5 => Plain(command),
            6 => $"(function(r) return type(r) == 'table' and (r.err or r.ok or #r) or r end)({Plain(command)})",
            7 => $"type({Plain(command)})",
            8 => $"cjson.encode({Plain(command)})",
            9 => $"({TypesOf})({Plain(command)})",
            10 => $"{{pcall({Server}.call, {command})}}",
            _ => $"select(2, pcall({Server}.call, {command}))",
        };
    }

    private string Key() =>
        source.Random.Next(12) switch
        {
            <= 5 => $"{_names.Keys}[1]",
            6 or 7 => $"{_names.Keys}[2]",
            8 => $"{_names.Keys}[9]",
            _ => $"'k{source.Random.Next(6)}'",
        };

    private string Argument() =>
        source.Random.Next(8) switch
        {
            <= 2 => $"{_names.Arguments}[{source.Random.Next(1, 4)}]",
            // Redis 7.0 writes numbers that are not integers with other digits.
            3 => isValkey ? source.Pick(Numbers) : $"{source.Random.Next(-5, 300)}",
            4 => isValkey ? Any() : Text(),
            _ => Quote(source.Pick(Texts)),
        };

    private string Command() =>
        source.Random.Next(14) switch
        {
            <= 3 => Strings(),
            <= 7 => Collections(),
            <= 9 => Keyspace(),
            10 => Odd(),
            _ => Read(),
        };

    private string Read() =>
        source.Random.Next(10) switch
        {
            <= 2 => $"'get', {Key()}",
            3 => $"'mget', {Key()}, {Key()}",
            4 => $"'lrange', {Key()}, 0, -1",
            5 => $"'hget', {Key()}, 'f1'",
            6 => $"'zrange', {Key()}, 0, -1, 'withscores'",
            7 => $"'zscore', {Key()}, 'e1'",
            8 => $"'hmget', {Key()}, 'f1', 'f2'",
            _ => $"'type', {Key()}",
        };

    private string Strings() =>
        source.Random.Next(12) switch
        {
            <= 3 => $"'set', {Key()}, {Argument()}",
            4 => $"'append', {Key()}, {Argument()}",
            5 => $"'incr', {Key()}",
            6 => $"'incrby', {Key()}, {Argument()}",
            7 => $"'incrbyfloat', {Key()}, {source.Pick("0.5", "'1.25'", Argument())}",
            8 => $"'getrange', {Key()}, 0, {source.Random.Next(-2, 4)}",
            9 => $"'set', {Key()}, {Argument()}, {source.Pick("'nx'", "'xx'", "'get'", "'bogus'", "'nx', 'get'")}",
            10 => $"'setbit', {Key()}, {source.Random.Next(20)}, 1",
            _ => $"'mset', {Key()}, {Argument()}, {Key()}, {Argument()}",
        };

    private string Collections() =>
        source.Random.Next(18) switch
        {
            <= 2 => $"'rpush', {Key()}, {Argument()}, 'b'",
            3 => $"'lpop', {Key()}{source.Pick("", ", 2", ", 0", ", -1")}",
            4 => $"'llen', {Key()}",
            5 => isValkey ? $"'blpop', {Key()}, {source.Pick("0", "1", "'x'")}" : $"'lindex', {Key()}, 0",
            6 or 7 => $"'hset', {Key()}, 'f{source.Random.Next(1, 4)}', {Argument()}",
            8 => $"'hincrby', {Key()}, 'f1', {source.Random.Next(5)}",
            9 => $"'hlen', {Key()}",
            10 or 11 =>
                $"'zadd', {Key()}, {source.Pick("1", "2.5", "'-inf'", "3", isValkey ? Argument() : "4")}, 'e{source.Random.Next(1, 4)}'",
            12 => $"'zincrby', {Key()}, {source.Pick("1", "0.5", "12")}, 'e1'",
            13 => $"'sadd', {Key()}, {source.Random.Next(5)}",
            14 => $"'sismember', {Key()}, {source.Random.Next(5)}",
            15 => $"'smismember', {Key()}, 1, 2",
            16 => $"'xadd', {Key()}, {source.Pick("'1-1'", "'1-2'", "'2-1'")}, 'f', 'v'",
            _ => $"'xrange', {Key()}, '-', '+'",
        };

    private string Keyspace() =>
        source.Random.Next(14) switch
        {
            <= 2 => $"'del', {Key()}",
            3 => $"'exists', {Key()}, {Key()}",
            4 => $"'rename', {Key()}, {Key()}",
            5 => $"'copy', {Key()}, {Key()}",
            6 => $"'select', {source.Pick("0", "1", "1", "99", "'x'")}",
            7 => $"'expire', {Key()}, {source.Pick("100000", "0", "'x'")}",
            8 => $"'persist', {Key()}",
            9 => "'dbsize'",
            10 => $"'sort', {Key()}, 'alpha'",
            11 => $"'strlen', {Key()}",
            12 => "'ping'",
            _ => $"'echo', {Argument()}",
        };

    // What scripts may not do, and what is no command.
    private string Odd() =>
        source.Random.Next(6) switch
        {
            0 => source.Pick(
                "'nosuch'",
                "'nosuch', 1",
                "''",
                "1",
                "'GET'",
                "'get'",
                "'get', 'a', 'b'",
                "'set', 'k1'",
                "{}",
                "nil",
                "'get', nil",
                "'get', {}",
                "true",
                "'get', print"
            ),
            1 => source.Pick(
                "'multi'",
                "'exec'",
                "'subscribe', 'c'",
                "'eval', 'return 1', 0",
                "'auth', 'x'",
                "'watch', 'k1'",
                "'quit'",
                "'monitor'",
                "'hello'",
                "'reset'"
            ),
            2 => source.Pick("'script', 'flush'", "'function', 'list'", "'config', 'get'", "'client'", "'debug', 'x'", Unknown()),
            3 => "'publish', 'c', 'm'",
            4 => $"unpack({_names.Arguments})",
            _ => "",
        };

    private string Unknown() =>
        isValkey ? source.Pick("'script', 'nosuch'", "'config', 'nosuch'", "'object', 'nosuch', 'a'") : "'nosuch', 'x'";

    private string Any()
    {
        if (_depth >= MaxDepth)
            return source.OneIn(2) ? source.Pick(Numbers) : Quote(source.Pick(Texts));
        _depth++;
        string text = source.Random.Next(14) switch
        {
            <= 2 => Number(),
            <= 5 => Text(),
            6 => source.Pick("true", "false", "nil", "nil", "function() end", "cjson.null"),
            <= 9 => Table(),
            10 => Special(),
            11 => Libraries(),
            12 => $"{source.Pick(_names.Keys, _names.Arguments)}",
            _ => Functions(),
        };
        _depth--;
        return text;
    }

    private string Number() =>
        source.Random.Next(9) switch
        {
            <= 3 => source.Pick(Numbers),
            4 => $"#{Text()}",
            5 => $"tonumber({Text()}{source.Pick("", "", ", 16", ", 2", ", 1")})",
            6 => $"({Nested()} {source.Pick("+", "-", "*", "/", "%", "^")} {Nested()})",
            7 => $"math.{source.Pick("floor", "abs", "max", "min", "sqrt", "fmod", "ceil")}({Nested()}, {Nested()})",
            _ => $"bit.{source.Pick(BitFunctions)}({Nested()}, {source.Random.Next(33)})",
        };

    private string Nested() => source.OneIn(4) ? Any() : source.Pick(Numbers);

    private string Text() =>
        source.Random.Next(14) switch
        {
            <= 4 => Quote(source.Pick(Texts)),
            5 => $"{_names.Arguments}[{source.Random.Next(1, 4)}]",
            6 => $"{_names.Keys}[{source.Random.Next(1, 3)}]",
            7 => $"tostring({source.Pick(Numbers)})",
            8 => $"({Quote(source.Pick(Texts))} .. {source.Pick(Numbers)})",
            9 => $"string.{source.Pick("upper", "lower", "reverse", "len")}({Quote(source.Pick(Texts))})",
            10 => $"string.sub({Quote(source.Pick(Texts))}, {source.Random.Next(-4, 5)}, {source.Random.Next(-4, 5)})",
            11 => $"string.rep({Quote(source.Pick(Texts))}, {source.Random.Next(-1, 6)})",
            12 => $"string.format({Quote(source.Pick(Formats))}, {Any()}, {Any()})",
            _ => $"string.gsub({Quote(source.Pick(Texts))}, {Quote(source.Pick(Patterns))}, {Quote(source.Pick(Replacements))})",
        };

    private string Table() =>
        source.Random.Next(6) switch
        {
            0 => "{}",
            1 => $"{{{Any()}, nil, {Any()}}}",
            2 => $"{{a={Any()}, {Any()}}}",
            3 => $"{{[{source.Random.Next(1, 4)}]={Any()}, x={Any()}}}",
            4 => $"{{{Any()}}}",
            _ => $"{{{Any()}, {Any()}, {Any()}}}",
        };

    // Tables that stand for replies of other types.
    private string Special() =>
        source.Random.Next(9) switch
        {
            0 => $"{{ok={Text()}}}",
            1 => $"{{err={Text()}}}",
            2 => $"{{double={(isValkey ? Any() : "2.5")}}}",
            3 => isValkey ? $"{{big_number={Text()}}}" : $"{{big_number='{source.Random.Next()}'}}",
            4 => $"{{map={{[{Quote(source.Pick(Texts))}]={Any()}}}}}",
            5 => $"{{set={{[{Quote(source.Pick(Texts))}]=true}}}}",
            6 => $"{{verbatim_string={{format={Quote(source.Pick("txt", "mkd", "x", "long"))}, string={Text()}}}}}",
            7 => $"{{{source.Pick("map", "set", "verbatim_string", isValkey ? "double" : "map", "big_number", "ok", "err")}={Any()}}}",
            _ => $"{{err={Text()}, ok={Text()}, {Any()}}}",
        };

    private string Libraries() =>
        source.Random.Next(10) switch
        {
            0 => $"cjson.encode({Any()})",
            1 => $"cjson.decode({Json()})",
            2 => $"cjson.encode(cjson.decode({Json()}))",
            3 => $"cmsgpack.pack({Any()})",
            4 => $"{{cmsgpack.unpack(cmsgpack.pack({Any()}, {Any()}))}}",
            5 => $"{{cmsgpack.unpack({Quote(source.Pick(Packed))})}}",
            6 => $"struct.pack({Quote(source.Pick(">I2", "<i4", "d", "s", "Bz", "c0", "I9", "hbH", "f"))}, {Any()}, {Any()})",
            7 => $"{{struct.unpack({Quote(source.Pick(">I2", "<i4", "s", "B", "c2", "bc0", "Q"))}, {Text()})}}",
            8 => $"struct.size({Quote(source.Pick("!4bi", "i", "c5", "s", "hh", "!"))})",
            _ => $"bit.tohex({Any()}, {source.Random.Next(-9, 10)})",
        };

    private string Json() =>
        source.OneIn(3)
            ? Text()
            : Quote(
                source.Pick(
                    "[1,2,3]",
                    "{\"a\":[true,false,null]}",
                    "[]",
                    "{}",
                    "[1e400]",
                    "\"\\u00e9\\n\"",
                    "[1,",
                    "{\"a\"}",
                    "[01]",
                    "nul",
                    "[0.1,1e20,-0]",
                    "\"a\\x\""
                )
            );

    private string Functions() =>
        source.Random.Next(13) switch
        {
            0 => $"{Server}.sha1hex({source.Pick(Text(), Text(), "", "1, 2", "{}")})",
            1 => $"{Server}.acl_check_cmd({source.Pick(Checks)})",
            2 => $"{Server}.log({source.Pick("", "1", "'x', 'y'", isValkey ? "9, 'x'" : "'x'", $"{Server}.LOG_DEBUG, 'x'")})",
            3 => $"{Server}.{source.Pick("error_reply", "status_reply")}({source.Pick("", "1", "{}", "'a', 'b'", "''", "'-'", "'A B'")})",
            4 => $"table.concat({Table()}, {Quote(source.Pick(",", "", "|"))})",
            5 => $"(function(t) table.sort(t) return t end)({{{Nested()}, {Nested()}, {Nested()}}})",
            6 => $"#{Table()}",
            7 => $"unpack({Table()})",
            8 => $"select({source.Pick("'#'", "1", "-1", "2", "0")}, {Any()}, {Any()})",
            9 => $"type({Any()})",
            10 => $"({Nested()} {source.Pick("==", "<", "<=", "~=", "and", "or", "..")} {Nested()})",
            11 => $"{Server}.{(source.OneIn(4) ? SetReplication() : source.Pick(Constants))}",
            _ => source.Pick(
                "math.random(100)",
                "(function() math.randomseed(7) return math.random(1000) end)()",
                "loadstring('return 5')()",
                "loadstring('return')",
                "next({a=1})",
                "rawget(_G, 'x')",
                "getmetatable('')",
                "setmetatable({}, {__index=function(t, n) return n end}).abc",
                "tostring(nil)",
                "tostring(1e15)",
                "#'abc' == 3",
                "coroutine.wrap(function() coroutine.yield(4) end)()",
                "coroutine.wrap(function() return redis.call('ping') end)()",
                "(function(...) return ... end)(1, 2, 3)",
                "xpcall(function() error('deep') end, function(e) return e end)",
                "string.find('a.b', '.', 1, true)",
                "string.byte('abc', 1, -1)",
                "string.char(72, 105)",
                "collectgarbage('step') ~= nil",
                "print",
                "debug",
                isValkey ? "os.clock() >= 0" : "debug",
                isValkey ? "os.time" : "debug"
            ),
        };

    // Never a valid choice of where the effects go.
    private string SetReplication() => isValkey ? source.Pick("set_repl(9)", "set_repl()") : "set_repl(9)";

    private static string Quote(string text)
    {
        var quoted = new StringBuilder("'");
        foreach (char c in text)
        {
            if (c is < ' ' or > '~' or '\'' or '\\')
                quoted.Append(CultureInfo.InvariantCulture, $"\\{(int)c:000}");
            else
                quoted.Append(c);
        }

        return quoted.Append('\'').ToString();
    }
}
