// Seeded random arguments: few keys, plain values, and edge cases for parsers. One thread.
using System.Globalization;
using System.Text;

namespace Garnet.EndToEnd.Tests.Differential.Generators;

/// <summary>Draws keys, values and numbers; equal seeds give equal arguments.</summary>
/// <param name="random">The random generator.</param>
/// <param name="wordsMayEndInZero">Whether keywords are sometimes followed by a zero byte, at which C's string comparison ends.</param>
internal sealed class ArgumentSource(Random random, bool wordsMayEndInZero = false)
{
    private static readonly string[] OddIntegers =
    [
        "",
        "abc",
        "1.5",
        "00",
        "-0",
        "+1",
        " 1",
        "1 ",
        "0x10",
        "1e3",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "-9223372036854775809",
        "9223372036854775806",
        "18446744073709551615",
        "18446744073709551616",
        "2147483647",
        "-2147483648",
        "2147483648",
        "4294967295",
        "4294967296",
        "99999999999999999999999999999999",
        "-",
        "1\0",
    ];

    private static readonly string[] OddFloats =
    [
        "",
        "abc",
        "nan",
        "inf",
        "-inf",
        "+inf",
        "infinity",
        "1e308",
        "-1e308",
        "1e400",
        "1e4932",
        "5e-324",
        "1e-4940",
        "0x1p3",
        "1e",
        ".",
        "-.5",
        "5.",
        " 1",
        "1 ",
        "1,5",
        "+3",
        "3.0e3",
        "1e17",
        "123456789012345678",
        "0.1",
        "0.2",
        "-0.0",
        "1e-5",
        "1.00000000000000000001",
        "17179869184.00000001",
        "99999999999999999",
        "1e20",
        "-1e21",
    ];

    private static readonly string[] OddValues =
    [
        "",
        "0",
        "-1",
        "10",
        "007",
        "-0",
        " 1",
        "1 ",
        "+1",
        "3.5",
        "1e5",
        "nan",
        "inf",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "12345678901234567890",
        "foobar",
        "a\r\nb",
        "\0",
        "hello world",
    ];

    /// <summary>The random generator, for the caller's own choices.</summary>
    public Random Random => random;

    /// <summary>True with probability 1/<paramref name="n"/>.</summary>
    public bool OneIn(int n) => random.Next(n) == 0;

    /// <summary>A random choice.</summary>
    public T Pick<T>(params ReadOnlySpan<T> choices) => choices[random.Next(choices.Length)];

    /// <summary>A command's name, sometimes in another case.</summary>
    public byte[] Name(string name) =>
        Encoding.Latin1.GetBytes(
            random.Next(6) switch
            {
                0 => name.ToLowerInvariant(),
                1 => string.Concat(name.Select(c => random.Next(2) == 0 ? char.ToLowerInvariant(c) : char.ToUpperInvariant(c))),
                _ => name,
            }
        );

    /// <summary>
    /// A subcommand's name, as <see cref="Name"/>. Never with a zero byte: Redis and Valkey look up subcommands in a hash table whose
    /// comparison stops at a zero byte, so the process's random hash seed decides whether the name is found.
    /// </summary>
    public byte[] Subcommand(string name) => Name(name);

    /// <summary>A keyword, as <see cref="Name"/>, or terminated like a C string.</summary>
    public byte[] Token(string word) => wordsMayEndInZero && OneIn(40) ? Bytes(word + Pick("\0", "\0x")) : Name(word);

    /// <summary>A key, nearly always one of six.</summary>
    public byte[] Key() =>
        random.Next(40) switch
        {
            0 => [],
            1 => [0, 255, 13, 10],
            2 => Bytes("a:long:key:" + new string('x', random.Next(300))),
            _ => Bytes($"k{random.Next(6)}"),
        };

    /// <summary>From one to <paramref name="most"/> keys, sometimes with duplicates.</summary>
    public byte[][] Keys(int most) => [.. Enumerable.Range(0, random.Next(1, most + 1)).Select(_ => Key())];

    /// <summary>A value: number-like, short text, binary, or occasionally a long one.</summary>
    public byte[] Value()
    {
        switch (random.Next(12))
        {
            case 0 or 1 or 2:
                return Bytes(random.Next(-20, 200).ToString(CultureInfo.InvariantCulture));
            case 3 or 4 or 5:
                return Bytes(Pick(OddValues));
            case 6:
                return Binary(random.Next(1, 40));
            case 7:
                return Bytes(new string((char)random.Next('a', 'e'), random.Next(30, 70)));
            case 8:
                return OneIn(8) ? Binary(random.Next(1, 20_000)) : Binary(random.Next(1, 300));
            default:
                return Bytes(string.Concat(Enumerable.Range(0, random.Next(1, 20)).Select(_ => (char)random.Next('a', 'e'))));
        }
    }

    /// <summary>An integer argument: small, an edge case or not a number.</summary>
    public byte[] Integer() => Bytes(OneIn(3) ? Pick(OddIntegers) : random.Next(-12, 30).ToString(CultureInfo.InvariantCulture));

    /// <summary>A float argument: plain, an edge case or not a number.</summary>
    public byte[] Float() =>
        random.Next(3) switch
        {
            0 => Bytes(Pick(OddFloats)),
            1 => Bytes(((random.NextDouble() - 0.5) * Math.Pow(10, random.Next(12))).ToString("F6", CultureInfo.InvariantCulture)),
            _ => Integer(),
        };

    /// <summary>
    /// A relative expiry, too far ahead for any test to reach, or an edge case. Never the same twice, because for equal ones GT and LT
    /// would compare the milliseconds in between.
    /// </summary>
    public byte[] Seconds() =>
        Bytes(
            OneIn(2)
                ? Pick(
                    "0",
                    "-1",
                    "abc",
                    "",
                    "1.5",
                    "9223372036854775807",
                    "9223372036854775",
                    "9223372036854776",
                    "-9223372036854775808",
                    "18446744073709551616"
                )
                : random.Next(1000, 30_000_000).ToString(CultureInfo.InvariantCulture)
        );

    /// <summary>As <see cref="Seconds"/>, in milliseconds.</summary>
    public byte[] Milliseconds() =>
        Bytes(
            OneIn(2)
                ? Pick(
                    "0",
                    "-1",
                    "abc",
                    "",
                    "1.5",
                    "9223372036854775807",
                    "9221000000000000000",
                    "-9223372036854775808",
                    "18446744073709551616"
                )
                : random.NextInt64(1_000_000, 30_000_000_000).ToString(CultureInfo.InvariantCulture)
        );

    /// <summary>An absolute time in seconds: past, far ahead, or an edge case.</summary>
    public byte[] UnixSeconds() =>
        Bytes(
            Pick(
                "4102444800",
                "4102444800",
                "4000000000",
                "1",
                "0",
                "-1",
                "abc",
                "9223372036854775807",
                "9223372036854775",
                "-9223372036854775808"
            )
        );

    /// <summary>As <see cref="UnixSeconds"/>, in milliseconds.</summary>
    public byte[] UnixMilliseconds() =>
        Bytes(
            Pick("4102444800000", "4102444800123", "4000000000000", "1", "0", "-1", "abc", "9223372036854775807", "-9223372036854775808")
        );

    /// <summary>Random bytes.</summary>
    public byte[] Binary(int length)
    {
        byte[] bytes = new byte[length];
        random.NextBytes(bytes);
        return bytes;
    }

    /// <summary>Text as bytes, one per character.</summary>
    public static byte[] Bytes(string text) => Encoding.Latin1.GetBytes(text);
}
