// Generates random calls of library functions. One thread.
using System.Globalization;

namespace Garnet.Lua.Tests;

/// <summary>
/// Calls with arguments that are often right and sometimes wrong. Arguments are of bounded size, so that no loop around a call makes it
/// grow without end.
/// </summary>
/// <param name="random">Chooses.</param>
/// <param name="leaf">Makes any small expression.</param>
internal sealed class LibraryCalls(Random random, Func<string> leaf)
{
    private static readonly string[] Texts =
    [
        "",
        "v",
        "hello world",
        "10",
        "0x1f",
        "a b c",
        "[1,{\\\"a\\\":null}]",
        "\\0\\255z",
        "%d",
        "-7.5",
    ];

    private static readonly string[] Patterns =
    [
        "%d+",
        ".-v",
        "(.)(.)",
        "^a*",
        "[%w]+$",
        "%s*(%S+)",
        "()l()",
        "%f[%w]%a",
        "[^%s,]*",
        "%b[]",
        "(%a)%1",
        "[a-",
        "(",
        "%",
    ];

    private static readonly string[] Formats =
    [
        "%d",
        "%5.2f",
        "%s",
        "%q",
        "%x",
        "%g",
        "%-8s|",
        "%+d",
        "%c",
        "%05d",
        "%e",
        "%i",
        "%%",
        "%y",
    ];
    private static readonly string[] Shapes =
    [
        "b",
        "B",
        "h",
        "H",
        "l",
        "i4",
        "I3",
        "f",
        "d",
        "s",
        "c0",
        "c3",
        "x",
        ">i2",
        "<l",
        "!4bi",
        "i9",
        "?",
    ];
    private static readonly string[] BitNames = ["band", "bor", "bxor", "lshift", "rshift", "arshift", "rol", "ror"];

    /// <summary>A call that every Lua 5.1 understands.</summary>
    public string Any() =>
        random.Next(22) switch
        {
            0 => $"string.format({Quoted(Formats)}, {leaf()})",
            1 => $"string.format('%s %s', lim({leaf()}), lim({leaf()}))",
            2 => $"string.find({Text()}, {Quoted(Patterns)}{OptionalNumber()})",
            3 => $"string.match({Text()}, {Quoted(Patterns)}{OptionalNumber()})",
            4 => $"string.gsub({Text()}, {Quoted(Patterns)}, {Replacement()})",
            5 => $"string.byte({Text()}{OptionalNumber()}{OptionalNumber()})",
            6 => $"string.char({Number()}, {Number()})",
            7 => $"string.reverse({Text()})",
            8 => $"string.rep({Text()}, {random.Next(-1, 4)})",
            9 => $"({Text()}):sub({Number()}, {Number()})",
            10 => $"tonumber({Text()}, {random.Next(0, 40)})",
            11 => $"math.{Pick("floor", "ceil", "abs", "sqrt", "exp", "frexp", "modf", "log10")}({leaf()})",
            12 => $"math.{Pick("max", "min", "fmod", "pow", "mod", "ldexp")}({Number()}, {leaf()})",
            13 => $"table.concat({List()}, {Pick("','", "', '", "nil", "1")}{OptionalNumber()}{OptionalNumber()})",
            14 => $"table.getn({List()})",
            15 => $"table.maxn({List()})",
            16 => $"#{List()}",
            17 => $"select({Number()}, unpack({List()}))",
            18 => $"unpack({List()}, {random.Next(-2, 4)}, {random.Next(-1, 6)})",
            19 => $"next({List()})",
            20 => $"rawequal({leaf()}, {leaf()})",
            _ => $"table.remove({List()}{OptionalNumber()})",
        };

    /// <summary>A call of a library that Valkey adds.</summary>
    public string AnyOfServer() =>
        random.Next(14) switch
        {
            0 => $"bit.{BitNames[random.Next(BitNames.Length)]}({Number()}, {leaf()})",
            1 => $"bit.{Pick("tobit", "bnot", "bswap")}({leaf()})",
            2 => $"bit.tohex({Number()}{OptionalNumber()})",
            3 => $"struct.pack({Quoted(Shapes)}, {Number()}, {Text()})",
            4 => $"struct.unpack({Quoted(Shapes)}, struct.pack({Quoted(Shapes)}, {Number()}){OptionalNumber()})",
            5 => $"struct.unpack({Quoted(Shapes)}, {Text()}{OptionalNumber()})",
            6 => $"struct.size({Quoted(Shapes)})",
            7 => $"cjson.encode({Document(0)})",
            8 => $"cjson.encode(cjson.decode({Json(0)}))",
            9 => $"cjson.decode({Text()})",
            10 => $"cmsgpack.pack({Document(0)}, {Number()})",
            11 => $"cjson.encode(cmsgpack.unpack(cmsgpack.pack({Document(0)})))",
            12 => $"cmsgpack.unpack({Text()})",
            _ =>
                $"cmsgpack.{Pick("unpack_one", "unpack_limit")}(cmsgpack.pack({Number()}, {Text()}, {Document(0)}), {Number()}, {Number()})",
        };

    /// <summary>A table constructor with keys that are numbers and texts.</summary>
    public string Document(int depth)
    {
        if (depth > 2 || random.Next(4) == 0)
            return Plain();
        IEnumerable<string> fields = Enumerable
            .Range(0, random.Next(4))
            .Select(_ => random.Next(2) == 0 ? Document(depth + 1) : $"[{Key()}] = {Document(depth + 1)}");
        return $"{{{string.Join(", ", fields)}}}";
    }

    private string Plain() =>
        random.Next(4) == 0 ? Pick("true", "false", "cjson.null", "1e15", "-0.5", "2^53")
        : random.Next(2) == 0 ? Number()
        : Text();

    // No tables and functions: their order depends on their addresses.
    private string Key() => random.Next(2) == 0 ? random.Next(-10, 70).ToString(CultureInfo.InvariantCulture) : Quoted(Texts);

    /// <summary>A quoted text, or any small expression cut to a bounded size.</summary>
    private string Text() => random.Next(4) == 0 ? $"lim({leaf()})" : Quoted(Texts);

    private string Number() =>
        random.Next(6) switch
        {
            0 => Pick("1.5", "-0.25", "2^31", "2^32", "-2^31", "1e15", "2^53", "1e300", "1/0", "0/0"),
            1 => leaf(),
            _ => random.Next(-10, 70).ToString(CultureInfo.InvariantCulture),
        };

    private string OptionalNumber() => random.Next(2) == 0 ? "" : ", " + random.Next(-4, 7).ToString(CultureInfo.InvariantCulture);

    private string List()
    {
        IEnumerable<string> elements = Enumerable
            .Range(0, random.Next(5))
            .Select(_ =>
                random.Next(8) == 0 ? "nil"
                : random.Next(2) == 0 ? Number()
                : Quoted(Texts)
            );
        return $"{{{string.Join(", ", elements)}}}";
    }

    private string Replacement() =>
        random.Next(5) switch
        {
            0 => "'<%0>'",
            1 => "'%1'",
            2 => "{l = 'L', o = false, v = 1}",
            3 => "function(a, b) return b or #a end",
            _ => "'%2'",
        };

    private string Json(int depth)
    {
        string json = JsonText(depth);
        if (random.Next(4) == 0)
            json = json.Remove(random.Next(json.Length), 1);
        return $"'{json.Replace("\\", "\\\\", StringComparison.Ordinal)}'";
    }

    private string JsonText(int depth) =>
        (depth > 2 ? random.Next(6) : random.Next(9)) switch
        {
            0 => random.Next(-9, 99).ToString(CultureInfo.InvariantCulture),
            1 => Pick("1.5e3", "-0", "0.1", "1e400", "123456789012345678"),
            2 => "\"" + Pick("a", "\\n", "\\u00e9", "\\ud83d\\ude00", "\\/", "") + "\"",
            3 => "true",
            4 => "null",
            5 => "[]",
            6 => $"[{JsonText(depth + 1)}, {JsonText(depth + 1)}]",
            7 => "{}",
            _ => $"{{\"{Pick("a", "b", "1")}\": {JsonText(depth + 1)}}}",
        };

    private string Quoted(string[] from) => $"\"{from[random.Next(from.Length)]}\"";

    private string Pick(params string[] from) => from[random.Next(from.Length)];
}
