// What INFO says of a server. Immutable; any thread.
using System.Globalization;

namespace Garnet.Bench.Servers;

/// <summary>The fields of INFO that a measurement uses.</summary>
internal sealed class ServerInformation
{
    private const double MaxSeconds = 1e9; // thirty years; a server may say anything

    private readonly Dictionary<string, string> _fields = [];

    private ServerInformation(string text)
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

    /// <summary>Asks a server.</summary>
    /// <returns>Empty information when it has no INFO or does not allow it.</returns>
    public static async Task<ServerInformation> ReadAsync(ControlConnection connection)
    {
        Garnet.Client.RespValue reply = await connection.CallAsync("INFO").ConfigureAwait(false);
        return Parse(reply.IsError ? "" : reply.Text);
    }

    /// <summary>Reads INFO's text.</summary>
    public static ServerInformation Parse(string text) => new(text);

    private string? Field(string name) => _fields.GetValueOrDefault(name);

    private double? Seconds(string name) =>
        double.TryParse(Field(name), NumberStyles.Float, CultureInfo.InvariantCulture, out double value) && value is >= 0 and <= MaxSeconds
            ? value
            : null;
}
