// Edge cases for parsers, arithmetic and allocators, drawn by a seed. One thread.
using System.Text;

namespace Garnet.EndToEnd.Tests.Faults;

/// <summary>Draws commands with arguments from a pool of edge cases. Keys are few, so that commands meet values of all types.</summary>
internal sealed class NastyArguments(Random random)
{
    // These end, block or silence the connection or the server on purpose, send more than one reply, or have a separate test.
    private static readonly string[] Excluded =
    [
        "shutdown",
        "client|pause",
        "client|kill",
        "client|reply",
        "quit",
        "monitor",
        "sync",
        "psync",
        "wait",
        "waitaof",
        "config|set",
        "config|rewrite",
        "failover",
        "replicaof",
        "slaveof",
        "subscribe",
        "psubscribe",
        "ssubscribe",
        "unsubscribe",
        "punsubscribe",
        "sunsubscribe",
        "save",
        "bgsave",
        "bgrewriteaof",
    ];

    // Blocking commands, with the index of their timeout after the name, or -1 for the last argument; the timeout is always short.
    private static readonly Dictionary<string, int> TimeoutOf = new()
    {
        ["blpop"] = -1,
        ["brpop"] = -1,
        ["blmove"] = -1,
        ["brpoplpush"] = -1,
        ["bzpopmin"] = -1,
        ["bzpopmax"] = -1,
        ["blmpop"] = 0,
        ["bzmpop"] = 0,
    };

    private static readonly string[] Timeouts =
    [
        "0.001",
        "0.001",
        "1e-3",
        "-1",
        "nan",
        "inf",
        "-inf",
        "1e400",
        "abc",
        "",
        "9223372036854775807",
        "-9223372036854775808",
        "18446744073709551616",
    ];

    private static readonly string[] Numbers =
    [
        "0",
        "1",
        "-1",
        "2",
        "7",
        "63",
        "64",
        "-0",
        "00",
        "127",
        "128",
        "255",
        "256",
        "65535",
        "65536",
        "8388607",
        "8388608",
        "1048575",
        "1048576",
        "2147483647",
        "-2147483648",
        "2147483648",
        "4294967295",
        "4294967296",
        "536870911",
        "536870912",
        "9007199254740993",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775806",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "9223372036854775",
        "-9223372036854775",
        "1e400",
        "-1e400",
        "1e308",
        "1e-400",
        "nan",
        "-nan",
        "inf",
        "-inf",
        "+inf",
        "0x7fffffffffffffff",
        "1.5",
        "3.0e3",
        " 1",
        "1 ",
        "+1",
    ];

    private static readonly string[] Words =
    [
        "GET",
        "SET",
        "INCRBY",
        "OVERFLOW",
        "SAT",
        "WRAP",
        "FAIL",
        "u8",
        "u63",
        "u64",
        "i64",
        "i1",
        "u0",
        "#0",
        "#-1",
        "#9223372036854775807",
        "#536870911",
        "LEN",
        "IDX",
        "MINMATCHLEN",
        "WITHMATCHLEN",
        "MATCH",
        "COUNT",
        "TYPE",
        "EX",
        "PX",
        "EXAT",
        "PXAT",
        "NX",
        "XX",
        "GT",
        "LT",
        "KEEPTTL",
        "PERSIST",
        "IFEQ",
        "FIELDS",
        "FNX",
        "FXX",
        "WITHVALUES",
        "NOVALUES",
        "LIMIT",
        "REPLACE",
        "DB",
        "ASYNC",
        "SYNC",
        "BIT",
        "BYTE",
        "AND",
        "OR",
        "XOR",
        "NOT",
        "DIFF",
        "ONE",
        "ID",
        "ADDR",
        "SKIPME",
        "yes",
        "no",
        "on",
        "AUTH",
        "SETNAME",
        "default",
        "HELP",
        "GETREG",
        "DECODE",
        "ENCODING",
        "TODENSE",
        "OBJECT",
        "SAMPLES",
        "string",
        "*",
        "[",
        "?",
        "a*a*a*a*b",
        "\\",
        "[^",
        "%s%n%p",
        "{}",
        "+",
        "-",
        "$",
        "{0}",
    ];

    private static readonly byte[][] Bytes =
    [
        [],
        [0],
        [0, 255, 13, 10],
        "\r\n"u8.ToArray(),
        "*1\r\n$4\r\nPING\r\n"u8.ToArray(),
        "-ERR x\r\n+OK"u8.ToArray(),
        "HYLL"u8.ToArray(),
        Enumerable.Repeat((byte)0xff, 40).ToArray(),
    ];

    private static readonly byte[][] Long =
    [
        Encoding.Latin1.GetBytes(new string('a', 100 * 1024)),
        Encoding.Latin1.GetBytes(new string('9', 10_000)),
        Encoding.Latin1.GetBytes(string.Concat(Enumerable.Repeat("*?", 50_000))),
        Encoding.Latin1.GetBytes(new string('*', 20_000)),
        Encoding.Latin1.GetBytes(new string('x', 16 * 1024)),
        Encoding.Latin1.GetBytes("HYLL" + new string('\0', 12_300)),
    ];

    /// <summary>All keys that a command may have used: any argument can be a key.</summary>
    public static IEnumerable<byte[]> AllKeys =>
        [
            .. Numbers.Select(Encoding.Latin1.GetBytes),
            .. Words.Select(Encoding.Latin1.GetBytes),
            .. Bytes,
            .. Long,
            .. Enumerable.Range(0, 4).Select(Key),
        ];

    /// <summary>Whether the command may be called with any arguments, any number of times.</summary>
    public static bool IsCallable(string name) => !Excluded.Contains(name);

    /// <summary>A call of a command, named as in COMMAND LIST, with this number of arguments after its name.</summary>
    public List<byte[]> Call(string name, int arguments)
    {
        List<byte[]> call = [.. name.Split('|').Select(Encoding.Latin1.GetBytes)];
        for (int i = 0; i < arguments; i++)
            call.Add(Draw(first: i == 0));
        if (arguments > 0 && TimeoutOf.TryGetValue(name, out int timeout))
            call[timeout < 0 ? arguments : timeout + 1] = Encoding.Latin1.GetBytes(Timeouts[random.Next(Timeouts.Length)]);
        return call;
    }

    private static byte[] Key(int number) => Encoding.Latin1.GetBytes("k" + number);

    private byte[] Draw(bool first) =>
        random.Next(first ? 10 : 40) switch
        {
            < 6 => Key(random.Next(4)),
            < 8 => Bytes[random.Next(Bytes.Length)],
            8 => Long[random.Next(Long.Length)],
            < 25 => Encoding.Latin1.GetBytes(Numbers[random.Next(Numbers.Length)]),
            _ => Encoding.Latin1.GetBytes(Words[random.Next(Words.Length)]),
        };
}
