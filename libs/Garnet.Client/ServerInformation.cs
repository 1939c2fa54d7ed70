// What INFO says of a server. Immutable; any thread.
using System.Globalization;

namespace Garnet.Client;

/// <summary>The fields of a reply to INFO. A server may say anything: what is no number counts as missing.</summary>
internal sealed class ServerInformation
{
    private const double MaxSeconds = 1e9; // thirty years
    private const string KeysOfDatabase = "keys=";

    private readonly Dictionary<string, string> _fields = [];

    /// <summary>Reads the lines of the reply.</summary>
    public ServerInformation(string text)
    {
        foreach (string line in text.Split('\n', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            int colon = line.IndexOf(':', StringComparison.Ordinal);
            if (colon > 0 && line[0] != '#')
                _fields[line[..colon]] = line[(colon + 1)..];
        }
    }

    /// <summary>Product and version, or null when the server does not say.</summary>
    public string? Product
    {
        get
        {
            if (Field("garnet_version") is { } garnet)
                return $"Garnet {garnet}";
            if (Field("valkey_version") is { } valkey)
                return $"Valkey {valkey}";
            return Field("redis_version") is { } redis ? $"Redis {redis}" : null;
        }
    }

    /// <summary>Processor time that the server has used, or null when it does not say.</summary>
    public TimeSpan? ProcessorTime =>
        Seconds("used_cpu_user") is { } user && Seconds("used_cpu_sys") is { } system ? TimeSpan.FromSeconds(user + system) : null;

    /// <summary>The keys of all databases.</summary>
    public long Keys
    {
        get
        {
            long keys = 0;
            foreach ((string name, string value) in _fields)
            {
                if (name.StartsWith("db", StringComparison.Ordinal) && value.StartsWith(KeysOfDatabase, StringComparison.Ordinal))
                    keys += Parse(value.AsSpan(KeysOfDatabase.Length, Math.Max(value.IndexOf(',') - KeysOfDatabase.Length, 0)));
            }

            return keys;
        }
    }

    /// <summary>A field's number; 0 where there is none.</summary>
    public long Number(string name) => Parse(Field(name));

    private static long Parse(ReadOnlySpan<char> text) =>
        long.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out long value) ? value : 0;

    private string? Field(string name) => _fields.GetValueOrDefault(name);

    private double? Seconds(string name) =>
        double.TryParse(Field(name), NumberStyles.Float, CultureInfo.InvariantCulture, out double value) && value is >= 0 and <= MaxSeconds
            ? value
            : null;
}
