// How a shared connection is made and kept. Set before use, then only read.
using System.Net;

namespace Garnet.Client;

/// <summary>Where to connect, as whom, and how long to wait.</summary>
public sealed class RespMultiplexerOptions
{
    /// <summary>The server.</summary>
    public required EndPoint EndPoint { get; init; }

    /// <summary>The user of AUTH; the default user when null.</summary>
    public string? User { get; init; }

    /// <summary>The password of AUTH; none is sent when null.</summary>
    public string? Password { get; init; }

    /// <summary>The logical database.</summary>
    public int Database { get; init; }

    /// <summary>The connection's name in CLIENT LIST; none when null.</summary>
    public string? ClientName { get; init; }

    /// <summary>Wraps the connection before anything is sent, for TLS: <c>async (stream, cancel) => { var tls = new SslStream(stream); await tls.AuthenticateAsClientAsync(...); return tls; }</c>.</summary>
    public Func<Stream, CancellationToken, ValueTask<Stream>>? Secure { get; init; }

    /// <summary>How long connecting and logging in may take.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How long a reply may take; then the connection is given up with all its calls, since the replies behind would be late, too.</summary>
    public TimeSpan ReplyTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>After connecting has failed, calls fail at once for so long.</summary>
    public TimeSpan RetryDelay { get; init; } = TimeSpan.FromMilliseconds(250);

    /// <summary>Request bytes that may wait to be sent; calls beyond that wait until there is room.</summary>
    public int MostUnsentBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>The clock.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;
}
