// How a shared connection is made and kept. Set before use, then only read.
using System.Net;
using System.Net.Sockets;

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

    /// <summary>TLS, when not null; <c>new()</c> where the system trusts the server's authority.</summary>
    public RespTlsOptions? Tls { get; init; }

    /// <summary>
    /// Wraps the connection before anything is sent, in another way than <see cref="Tls"/>: a tunnel, a proxy, a measurement.
    /// </summary>
    public Func<Stream, CancellationToken, ValueTask<Stream>>? StreamFilter { get; init; }

    /// <summary>How long connecting and logging in may take.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// How long a reply may take; then the connection is given up with all its calls, since the replies behind would be late, too.
    /// </summary>
    public TimeSpan ReplyTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>After connecting has failed, calls fail at once for so long.</summary>
    public TimeSpan RetryDelay { get; init; } = TimeSpan.FromMilliseconds(250);

    /// <summary>Request bytes that may wait to be sent; calls beyond that wait until there is room.</summary>
    public int MaxUnsentBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>The server as people write it, for messages.</summary>
    internal string EndPointText =>
        EndPoint switch
        {
            DnsEndPoint host => $"{host.Host}:{host.Port}",
            UnixDomainSocketEndPoint socket => $"unix:{socket}",
            _ => $"{EndPoint}",
        };

    /// <summary>Checks the settings, as <see cref="RespMultiplexer"/> does when it is made.</summary>
    /// <exception cref="ArgumentException">They cannot be right; the message names a setting.</exception>
    public void Validate()
    {
        if (Problems().FirstOrDefault() is { } problem)
            throw new ArgumentException(problem);
    }

    /// <summary>What is wrong with the settings, one line each, beginning with the name of one.</summary>
    internal IEnumerable<string> Problems()
    {
        if (Database < 0)
            yield return $"{nameof(Database)} is {Database}; it must be 0 or more.";
        if (User is not null && Password is null)
            yield return $"{nameof(User)} is set without {nameof(Password)}.";
        if (ConnectTimeout <= TimeSpan.Zero)
            yield return $"{nameof(ConnectTimeout)} is {ConnectTimeout}; it must be more than zero.";
        if (ReplyTimeout <= TimeSpan.Zero)
            yield return $"{nameof(ReplyTimeout)} is {ReplyTimeout}; it must be more than zero.";
        if (RetryDelay < TimeSpan.Zero)
            yield return $"{nameof(RetryDelay)} is {RetryDelay}; it must be zero or more.";
        if (MaxUnsentBytes < 0)
            yield return $"{nameof(MaxUnsentBytes)} is {MaxUnsentBytes}; it must be 0 or more.";
        if (Tls is null)
            yield break;
        if (StreamFilter is not null)
            yield return $"{nameof(Tls)} and {nameof(StreamFilter)} exclude each other; set one.";
        if (EndPoint is UnixDomainSocketEndPoint && Tls.HostName is null)
            yield return $"{nameof(Tls)}.{nameof(Tls.HostName)} must say whose certificate is expected behind a Unix socket.";
        foreach (string problem in Tls.Problems())
            yield return $"{nameof(Tls)}.{problem}";
    }
}
