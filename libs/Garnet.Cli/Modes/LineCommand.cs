// A line of a session as a command. Stateless; one thread.
using System.Globalization;
using System.Text;
using Garnet.Cli.Connection;
using Garnet.Cli.Options;
using Garnet.Cli.Output;
using Garnet.Client;

namespace Garnet.Cli.Modes;

/// <summary>Splits lines, and carries out what is meant for this program and not for the server.</summary>
internal static class LineCommand
{
    /// <summary>Reads <c>[count] command arguments</c>.</summary>
    /// <returns>What is wrong with the line, or null.</returns>
    public static string? TryParse(ReadOnlySpan<byte> line, out byte[][] command, out long repeat)
    {
        repeat = 1;
        command = [];
        if (ArgumentSplitter.TrySplit(line) is not { } words)
            return "Invalid argument(s)";
        command = words;
        if (words.Length < 2 || !IsNumber(words[0]))
            return null;
        if (!long.TryParse(words[0], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out repeat) || repeat <= 0)
            return "Invalid repeat count before the command: it is a number from 1 on.";
        command = words[1..];
        return null;
    }

    /// <summary>CONNECT host port: the session goes on with another server, or with its own where the port is none.</summary>
    /// <returns>Whether there is a connection to that server.</returns>
    public static bool Connect(byte[][] command, CliOptions options, CliSession session, ReplyPrinter printer)
    {
        string text = Encoding.UTF8.GetString(command[2]);
        bool isPort =
            int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int port) && port is > 0 and <= ushort.MaxValue;
        if (!isPort)
        {
            printer.PrintLine($"Invalid port '{text}': it is a number from 1 to {ushort.MaxValue}.");
            return false;
        }

        options.Connection.Host = Encoding.UTF8.GetString(command[1]);
        options.Connection.SocketPath = null;
        options.Connection.Sentinel = null;
        options.Connection.Port = port;
        return session.Connect();
    }

    private static bool IsNumber(ReadOnlySpan<byte> word)
    {
        if (word.Length > 1 && word[0] is (byte)'-' or (byte)'+')
            word = word[1..];
        return !word.IsEmpty && word.IndexOfAnyExceptInRange((byte)'0', (byte)'9') < 0;
    }
}
