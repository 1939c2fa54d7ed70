// Builds replies for command tests. Stateless.
using System.Globalization;
using System.Text;

namespace Garnet.Server.Tests.Commands;

/// <summary>The wire form of replies, one character per byte.</summary>
internal static class Replies
{
    public const string Ok = "+OK\r\n";

    public const string Null = "$-1\r\n";

    public const string WrongType = "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n";

    public const string NotInteger = "-ERR value is not an integer or out of range\r\n";

    public const string Syntax = "-ERR syntax error\r\n";

    public const string TooLong = "-ERR string exceeds maximum allowed size (proto-max-bulk-len)\r\n";

    public const string OutOfMemory = "-OOM command not allowed when used memory > 'maxmemory'.\r\n";

    public static string Bulk(string text) => string.Create(CultureInfo.InvariantCulture, $"${text.Length}\r\n{text}\r\n");

    public static string Integer(long value) => string.Create(CultureInfo.InvariantCulture, $":{value}\r\n");

    /// <summary>An array of bulk strings.</summary>
    public static string Bulks(params string[] texts) => Array(System.Array.ConvertAll(texts, Bulk));

    /// <summary>An array of replies.</summary>
    public static string Array(params string[] items)
    {
        StringBuilder text = new();
        text.Append(CultureInfo.InvariantCulture, $"*{items.Length}\r\n").AppendJoin("", items);
        return text.ToString();
    }
}
