// How a message becomes a line of the log. Stateless; any thread.
using System.Globalization;
using System.Text;
using System.Text.Json;

namespace Garnet.Hosting.Logging;

/// <summary>The formats of <c>log-format</c> and <c>log-timestamp-format</c>.</summary>
internal static class LogLine
{
    /// <summary>A whole line with its end.</summary>
    /// <param name="options">Says the formats.</param>
    /// <param name="isReplica">Whether the server is a replica at this time.</param>
    /// <param name="time">When.</param>
    /// <param name="mark">The level: <c>.</c> debug, <c>-</c> info, <c>*</c> notice, <c>#</c> warning.</param>
    /// <param name="message">The message; control characters in it are escaped.</param>
    /// <param name="exception">What is shown with it, or null; on lines of its own in the format of Redis.</param>
    public static string Format(GarnetOptions options, bool isReplica, DateTimeOffset time, char mark, string message, Exception? exception)
    {
        string when = Timestamp(options.LogTimestampFormat, time);
        if (options.LogFormat == LogFormat.Legacy)
        {
            string more = exception is null ? "" : Environment.NewLine + exception;
            return $"{Environment.ProcessId}:{(isReplica ? 'S' : 'M')} {when} {mark} {OneLine(message)}{more}\n";
        }

        string role = isReplica ? "replica" : "primary";
        string whole = exception is null ? message : $"{message} {exception}";
        return options.LogFormat == LogFormat.Json
            ? $$"""{"pid":{{Environment.ProcessId}},"role":"{{role}}","timestamp":"{{when}}","level":"{{Level(mark)}}","message":{{Quoted(whole)}}}"""
                + "\n"
            : $"pid={Environment.ProcessId} role={role} timestamp=\"{when}\" level={Level(mark)} message=\"{Unquotable(whole)}\"\n";
    }

    /// <summary>
    /// The message in one line. Messages quote untrusted text, such as the name in a certificate: a line end in it must not produce a line
    /// that looks like ours.
    /// </summary>
    public static string OneLine(string message) => Escape(message, static character => char.IsControl(character));

    private static string Timestamp(LogTimestampFormat format, DateTimeOffset time) =>
        format switch
        {
            LogTimestampFormat.Iso8601 => time.ToString("yyyy-MM-dd'T'HH:mm:ss.fffzzz", CultureInfo.InvariantCulture),
            LogTimestampFormat.Milliseconds => time.ToUnixTimeMilliseconds().ToString(CultureInfo.InvariantCulture),
            _ => time.ToString("dd MMM yyyy HH:mm:ss.fff", CultureInfo.InvariantCulture),
        };

    private static string Level(char mark) =>
        mark switch
        {
            '.' => "debug",
            '-' => "info",
            '*' => "notice",
            _ => "warning",
        };

    // JsonEncodedText escapes everything that is not plain ASCII, so that a line stays one line.
    private static string Quoted(string text) => $"\"{JsonEncodedText.Encode(text)}\"";

    // A value in quotes has no escapes that all readers know: what would end it or the line is written by its code.
    private static string Unquotable(string text) =>
        Escape(text, static character => char.IsControl(character) || character is '"' or '\\');

    private static string Escape(string message, Func<char, bool> isEscaped)
    {
        if (!message.Any(isEscaped))
            return message;
        var line = new StringBuilder(message.Length + 16);
        foreach (char character in message)
        {
            if (isEscaped(character))
                line.Append(CultureInfo.InvariantCulture, $"\\x{(int)character:x2}");
            else
                line.Append(character);
        }

        return line.ToString();
    }
}
