// A model of large strings: random requests, with the replies of a plain dictionary. One thread.
using System.Globalization;
using System.Text;
using Garnet.Testing;

namespace Garnet.EndToEnd.Tests.Faults;

/// <summary>Draws commands on strings of all sizes around the thresholds for large values, and computes the correct replies.</summary>
internal sealed class LargeValueModel(Random random, string prefix)
{
    private const int Keys = 4;
    private const int Bound = 16 * 1024;
    private static readonly int[] Sizes = [0, 1, 100, Bound - 1, Bound, Bound + 1, 20_000, 65_535, 65_536, 70_000, 1 << 20, 5 << 20];

    private readonly Dictionary<string, byte[]> _values = [];

    /// <summary>
    /// Appends a command to the request and its reply to the expected ones. Inside a transaction, the reply is part of EXEC's.
    /// </summary>
    public void Draw(Stream request, Stream expected)
    {
        string key = DrawKey();
        byte[] value = _values.GetValueOrDefault(key, []);
        switch (random.Next(10))
        {
            case 0 or 1:
                byte[] drawn = DrawValue();
                // What follows a large argument is received separately: a line end, or a little more.
                byte[][] words = random.Next(2) == 0 ? [drawn] : [drawn, "EX"u8.ToArray(), "100000"u8.ToArray()];
                Encode(request, ["SET", key], words);
                _values[key] = drawn;
                Write(expected, "+OK\r\n");
                break;
            case 2 or 3:
                Encode(request, ["GET", key]);
                WriteBulk(expected, key);
                break;
            case 4:
                string second = DrawKey();
                Encode(request, ["MGET", key, second, key]);
                Write(expected, "*3\r\n");
                WriteBulk(expected, key);
                WriteBulk(expected, second);
                WriteBulk(expected, key);
                break;
            case 5:
                int from = random.Next(value.Length + 1);
                int to = from + random.Next(value.Length + 1);
                Encode(request, ["GETRANGE", key, Text(from), Text(to)]);
                WriteBulk(expected, value.AsSpan(from, Math.Min(value.Length, to + 1) - from));
                break;
            case 6 when value.Length < 8 << 20:
                byte[] tail = DrawValue();
                Encode(request, ["APPEND", key], tail);
                _values[key] = [.. value, .. tail];
                Write(expected, $":{value.Length + tail.Length}\r\n");
                break;
            case 7 when value.Length > 0:
                int offset = random.Next(value.Length);
                byte[] patch = DrawValue(64);
                Encode(request, ["SETRANGE", key, Text(offset)], patch);
                byte[] patched = new byte[Math.Max(value.Length, offset + patch.Length)];
                value.CopyTo(patched, 0);
                patch.CopyTo(patched, offset);
                _values[key] = patched;
                Write(expected, $":{patched.Length}\r\n");
                break;
            case 8:
                byte[] one = DrawValue();
                byte[] two = DrawValue();
                string other = DrawKey();
                RespExchange.Encode(request, ["MSET"u8.ToArray(), Encoding.ASCII.GetBytes(key), one, Encoding.ASCII.GetBytes(other), two]);
                _values[key] = one;
                _values[other] = two;
                Write(expected, "+OK\r\n");
                break;
            default:
                Encode(request, ["DEL", key]);
                Write(expected, _values.Remove(key) ? ":1\r\n" : ":0\r\n");
                break;
        }
    }

    /// <summary>Appends a transaction of several commands.</summary>
    public void DrawTransaction(Stream request, Stream expected)
    {
        int commands = random.Next(1, 6);
        using var replies = new MemoryStream();
        Encode(request, ["MULTI"]);
        Write(expected, "+OK\r\n");
        for (int i = 0; i < commands; i++)
        {
            Draw(request, replies);
            Write(expected, "+QUEUED\r\n");
        }

        Encode(request, ["EXEC"]);
        Write(expected, $"*{commands}\r\n");
        replies.WriteTo(expected);
    }

    private string DrawKey() => $"{prefix}{random.Next(Keys)}";

    private byte[] DrawValue(int most = int.MaxValue)
    {
        byte[] value = new byte[Math.Min(most, Sizes[random.Next(random.Next(3) == 0 ? Sizes.Length : Sizes.Length - 2)])];
        random.NextBytes(value);
        return value;
    }

    private void WriteBulk(Stream expected, string key)
    {
        if (_values.TryGetValue(key, out byte[]? value))
            WriteBulk(expected, value);
        else
            Write(expected, "$-1\r\n");
    }

    private static void WriteBulk(Stream expected, ReadOnlySpan<byte> value)
    {
        Write(expected, $"${value.Length}\r\n");
        expected.Write(value);
        Write(expected, "\r\n");
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static void Write(Stream stream, string text) => stream.Write(Encoding.ASCII.GetBytes(text));

    private static void Encode(Stream request, string[] words, params byte[][] more) =>
        RespExchange.Encode(request, [.. words.Select(Encoding.ASCII.GetBytes), .. more]);
}
