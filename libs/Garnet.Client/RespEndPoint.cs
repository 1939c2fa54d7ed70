// Textual server addresses. Pure functions.
using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Net.Sockets;

namespace Garnet.Client;

/// <summary>Parses endpoints, for example from a setting.</summary>
public static class RespEndPoint
{
    private const int DefaultPort = 6379;
    private const string UnixPrefix = "unix:";

    /// <summary>Parses <c>host:port</c>, <c>host</c> (port 6379), an IP address with or without a port, or <c>unix:/path</c>.</summary>
    /// <exception cref="FormatException">The text has none of these forms.</exception>
    public static EndPoint Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return TryParse(text, out EndPoint? endPoint)
            ? endPoint
            : throw new FormatException($"'{text}' is not an end point; it must be host:port, host or unix:/path.");
    }

    /// <summary>Like <see cref="Parse"/>, but returns false where that throws.</summary>
    public static bool TryParse([NotNullWhen(true)] string? text, [NotNullWhen(true)] out EndPoint? endPoint)
    {
        endPoint = null;
        if (text is null)
            return false;
        if (text.StartsWith(UnixPrefix, StringComparison.Ordinal))
        {
            if (text.Length > UnixPrefix.Length)
                endPoint = new UnixDomainSocketEndPoint(text[UnixPrefix.Length..]);
            return endPoint is not null;
        }

        if (IPEndPoint.TryParse(text, out IPEndPoint? address))
        {
            endPoint = address.Port == 0 ? new IPEndPoint(address.Address, DefaultPort) : address;
            return true;
        }

        int colon = text.LastIndexOf(':');
        string host = colon < 0 ? text : text[..colon];
        int port = DefaultPort;
        if (
            Uri.CheckHostName(host) == UriHostNameType.Unknown
            || (colon >= 0 && !(int.TryParse(text.AsSpan(colon + 1), out port) && port is > 0 and <= ushort.MaxValue))
        )
        {
            return false;
        }

        endPoint = new DnsEndPoint(host, port);
        return true;
    }
}
