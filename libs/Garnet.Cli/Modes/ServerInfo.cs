// INFO as fields. Immutable; any thread.
using System.Globalization;
using Garnet.Cli.Connection;
using Garnet.Client;

namespace Garnet.Cli.Modes;

/// <summary>The fields of a reply to INFO.</summary>
internal sealed class ServerInfo
{
    private readonly Dictionary<string, string> _fields = [];

    /// <summary>Reads the lines of the reply.</summary>
    public ServerInfo(string text)
    {
        foreach (string line in text.Split('\n'))
        {
            int colon = line.IndexOf(':', StringComparison.Ordinal);
            if (colon > 0)
                _fields[line[..colon]] = line[(colon + 1)..].TrimEnd('\r');
        }
    }

    /// <summary>The keys of all databases.</summary>
    public long Keys
    {
        get
        {
            long keys = 0;
            foreach ((string name, string value) in _fields)
            {
                if (name.StartsWith("db", StringComparison.Ordinal) && value.StartsWith("keys=", StringComparison.Ordinal))
                    keys += Parse(value.AsSpan("keys=".Length, Math.Max(value.IndexOf(',', StringComparison.Ordinal) - "keys=".Length, 0)));
            }

            return keys;
        }
    }

    /// <summary>Asks the server; connects again, and waits for it, where the connection was lost.</summary>
    /// <returns>Null where the user has asked to end.</returns>
    public static ServerInfo? Read(CliSession session, Interruption interruption)
    {
        if (session.CallReconnecting("INFO", interruption, out _) is not { } reply)
            return null;
        return reply.IsError ? throw new CliException($"ERROR: {reply.Text}") : new ServerInfo(reply.Text);
    }

    /// <summary>A field's number; 0 where there is none.</summary>
    public long Number(string name) => _fields.TryGetValue(name, out string? value) ? Parse(value) : 0;

    private static long Parse(ReadOnlySpan<char> text) =>
        long.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out long value) ? value : 0;
}
