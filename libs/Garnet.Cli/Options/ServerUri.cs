// Addresses of servers as URIs. Pure functions.
using System.Globalization;
using System.Text;
using Garnet.Client;

namespace Garnet.Cli.Options;

/// <summary>
/// Reads <c>redis://[[user:]password@][host][:port][/database]</c>; the schemes <c>rediss</c>, <c>valkey</c>, <c>valkeys</c>, <c>garnet</c>
/// and <c>garnets</c> are known, too, those with an s for TLS, <c>unix:///path</c> for a socket, and
/// <c>sentinel://[[user:]password@]host[:port][,host[:port]...]/service[/database]</c> (<c>sentinels</c> with TLS) for a service's primary.
/// </summary>
internal static class ServerUri
{
    private const string Form = "it must be redis://[[user:]password@]host[:port][/database]";

    /// <summary>Stores what the URI says.</summary>
    /// <exception cref="CliException">It is none.</exception>
    public static void Apply(string uri, ConnectionOptions connection)
    {
        int end = uri.IndexOf("://", StringComparison.Ordinal);
        string scheme = end < 0 ? "" : uri[..end].ToLowerInvariant();
        if (scheme is not ("redis" or "rediss" or "valkey" or "valkeys" or "garnet" or "garnets" or "sentinel" or "sentinels" or "unix"))
            throw new CliException($"Invalid URI scheme: {Form}");
        string rest = uri[(end + 3)..];
        if (scheme == "unix")
        {
            connection.SocketPath = Decode(rest);
            return;
        }

        if (scheme[^1] == 's' && scheme != "redis")
            connection.Tls ??= new RespTlsOptions();
        int at = rest.IndexOf('@', StringComparison.Ordinal);
        if (at >= 0)
            ApplyUser(rest[..at], connection);
        if (scheme.StartsWith("sentinel", StringComparison.Ordinal))
            ApplyService(rest[(at + 1)..], connection);
        else
            ApplyPlace(rest[(at + 1)..], connection);
    }

    private static void ApplyUser(string text, ConnectionOptions connection)
    {
        int colon = text.IndexOf(':', StringComparison.Ordinal);
        if (colon > 0)
            connection.User = Decode(text[..colon]);
        connection.Password = Decode(text[(colon + 1)..]);
    }

    private static void ApplyPlace(string text, ConnectionOptions connection)
    {
        int slash = text.IndexOf('/', StringComparison.Ordinal);
        string place = slash < 0 ? text : text[..slash];
        string database = slash < 0 ? "" : text[(slash + 1)..];
        int bracket = place.StartsWith('[') ? place.IndexOf(']', StringComparison.Ordinal) : -1;
        int colon = place.IndexOf(':', Math.Max(bracket, 0));
        if (colon >= 0)
            connection.Port = ReadNumber(place[(colon + 1)..], ushort.MaxValue, "port");
        string host = colon < 0 ? place : place[..colon];
        if (bracket > 0)
            host = host[1..bracket];
        if (host.Length > 0)
            connection.Host = host;
        if (database.Length > 0)
            connection.Database = ReadNumber(database, int.MaxValue, "database");
    }

    private static void ApplyService(string text, ConnectionOptions connection)
    {
        string[] parts = text.Split('/');
        if (parts.Length is < 2 or > 3 || parts[0].Length == 0 || parts[1].Length == 0)
            throw new CliException("Invalid URI of a service: it must be sentinel://host[:port][,host[:port]]/service[/database]");
        var sentinels = new List<(string, int)>();
        foreach (string each in parts[0].Split(','))
        {
            var place = new ConnectionOptions { Port = SentinelService.DefaultPort };
            ApplyPlace(each, place);
            sentinels.Add((place.Host, place.Port));
        }

        connection.Sentinel = new SentinelService(sentinels, Decode(parts[1]));
        if (parts.Length == 3 && parts[2].Length > 0)
            connection.Database = ReadNumber(parts[2], int.MaxValue, "database");
    }

    private static int ReadNumber(string text, int most, string what) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int value) && value <= most
            ? value
            : throw new CliException($"Invalid {what} '{text}' in the URI: {Form}");

    // Percent signs stand for bytes: a password may have an @.
    private static string Decode(string text)
    {
        if (!text.Contains('%', StringComparison.Ordinal))
            return text;
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        int length = 0;
        for (int i = 0; i < bytes.Length; i++)
        {
            byte value = bytes[i];
            if (value == '%')
            {
                value = DecodeByte(bytes.AsSpan(i + 1));
                i += 2;
            }

            bytes[length++] = value;
        }

        return Encoding.UTF8.GetString(bytes, 0, length);
    }

    private static byte DecodeByte(ReadOnlySpan<byte> digits)
    {
        if (digits.IsEmpty)
            throw new CliException("Incomplete URI encoding: % is followed by two hexadecimal digits");
        if (digits.Length > 1 && byte.TryParse(digits[..2], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out byte value))
            return value;
        throw new CliException("Illegal character in URI encoding: % is followed by two hexadecimal digits");
    }
}
