// Addresses of servers as URIs. Pure functions.
using System.Globalization;
using System.Text;

namespace Garnet.Client;

/// <summary>
/// Reads <c>redis://[[user:]password@][host][:port][/database]</c>; the schemes <c>rediss</c>, <c>valkey</c>, <c>valkeys</c>, <c>garnet</c>
/// and <c>garnets</c> are known, too, those with an s for TLS, <c>unix:///path</c> for a socket, and
/// <c>sentinel://[[user:]password@]host[:port][,host[:port]...]/service[/database]</c> (<c>sentinels</c> with TLS) for a service's primary.
/// </summary>
internal sealed class ServerUri
{
    private const string Form = "it must be redis://[[user:]password@]host[:port][/database]";

    private ServerUri() { }

    /// <summary>The server's name or address; null where the URI has none.</summary>
    public string? Host { get; private set; }

    /// <summary>Its port, or null.</summary>
    public int? Port { get; private set; }

    /// <summary>The path of its Unix socket, which has no host and port; or null.</summary>
    public string? SocketPath { get; private set; }

    /// <summary>Whether its connections are encrypted.</summary>
    public bool UsesTls { get; private set; }

    /// <summary>The user, or null.</summary>
    public string? User { get; private set; }

    /// <summary>The password, or null.</summary>
    public string? Password { get; private set; }

    /// <summary>The database, or null.</summary>
    public int? Database { get; private set; }

    /// <summary>The service whose primary is meant; null where the URI names the server itself.</summary>
    public string? Service { get; private set; }

    /// <summary>The Sentinels that know the service.</summary>
    public IReadOnlyList<(string? Host, int? Port)> Sentinels { get; private set; } = [];

    /// <summary>Reads a URI.</summary>
    /// <exception cref="FormatException">It is none; the message says why, and shows no password.</exception>
    public static ServerUri Parse(string text)
    {
        int end = text.IndexOf("://", StringComparison.Ordinal);
        string scheme = end < 0 ? "" : text[..end].ToLowerInvariant();
        if (scheme is not ("redis" or "rediss" or "valkey" or "valkeys" or "garnet" or "garnets" or "sentinel" or "sentinels" or "unix"))
            throw new FormatException($"Invalid URI scheme: {Form}");
        string rest = text[(end + 3)..];
        var uri = new ServerUri();
        if (scheme == "unix")
        {
            uri.SocketPath = Decode(rest);
            return uri;
        }

        uri.UsesTls = scheme[^1] == 's' && scheme != "redis";
        int at = rest.IndexOf('@', StringComparison.Ordinal);
        if (at >= 0)
            uri.ReadUser(rest[..at]);
        if (scheme.StartsWith("sentinel", StringComparison.Ordinal))
            uri.ReadService(rest[(at + 1)..]);
        else
            uri.ReadServer(rest[(at + 1)..]);
        return uri;
    }

    private void ReadUser(string text)
    {
        int colon = text.IndexOf(':', StringComparison.Ordinal);
        if (colon > 0)
            User = Decode(text[..colon]);
        Password = Decode(text[(colon + 1)..]);
    }

    private void ReadServer(string text)
    {
        int slash = text.IndexOf('/', StringComparison.Ordinal);
        (Host, Port) = ReadAddress(slash < 0 ? text : text[..slash]);
        if (slash >= 0 && slash + 1 < text.Length)
            Database = ReadNumber(text[(slash + 1)..], int.MaxValue, "database");
    }

    private void ReadService(string text)
    {
        string[] parts = text.Split('/');
        if (parts.Length is < 2 or > 3 || parts[0].Length == 0 || parts[1].Length == 0)
            throw new FormatException("Invalid URI of a service: it must be sentinel://host[:port][,host[:port]]/service[/database]");
        Sentinels = [.. parts[0].Split(',').Select(ReadAddress)];
        Service = Decode(parts[1]);
        if (parts.Length == 3 && parts[2].Length > 0)
            Database = ReadNumber(parts[2], int.MaxValue, "database");
    }

    private static (string? Host, int? Port) ReadAddress(string text)
    {
        int bracket = text.StartsWith('[') ? text.IndexOf(']', StringComparison.Ordinal) : -1;
        int colon = text.IndexOf(':', Math.Max(bracket, 0));
        int? port = colon < 0 ? null : ReadNumber(text[(colon + 1)..], ushort.MaxValue, "port");
        string host = colon < 0 ? text : text[..colon];
        if (bracket > 0)
            host = host[1..bracket];
        return (host.Length > 0 ? host : null, port);
    }

    private static int ReadNumber(string text, int most, string what) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int value) && value <= most
            ? value
            : throw new FormatException($"Invalid {what} '{text}' in the URI: {Form}");

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
            throw new FormatException("Incomplete URI encoding: % is followed by two hexadecimal digits");
        if (digits.Length > 1 && byte.TryParse(digits[..2], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out byte value))
            return value;
        throw new FormatException("Illegal character in URI encoding: % is followed by two hexadecimal digits");
    }
}
