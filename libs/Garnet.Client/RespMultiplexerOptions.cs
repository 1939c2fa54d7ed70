// The settings of a shared connection. Set before use, then only read.
using System.Net;
using System.Net.Sockets;

namespace Garnet.Client;

/// <summary>Address, credentials, TLS, timeouts and limits of a <see cref="RespMultiplexer"/>.</summary>
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

    /// <summary>
    /// TLS settings; null for a plain connection. <c>new()</c> suffices if the system trusts the authority of the server's certificate.
    /// </summary>
    public RespTlsOptions? Tls { get; init; }

    /// <summary>
    /// Wraps the connection's stream before anything is sent, instead of <see cref="Tls"/>: for a tunnel, a proxy or measurements.
    /// </summary>
    public Func<Stream, CancellationToken, ValueTask<Stream>>? StreamFilter { get; init; }

    /// <summary>How long connecting and logging in may take.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// How long a reply may take. After that the connection is closed and all its calls fail, since the replies behind the late one are
    /// late, too.
    /// </summary>
    public TimeSpan ReplyTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>After a failed attempt to connect, calls fail immediately for this long instead of trying again.</summary>
    public TimeSpan RetryDelay { get; init; } = TimeSpan.FromMilliseconds(250);

    /// <summary>Maximum number of request bytes waiting to be sent; further calls wait for space.</summary>
    public int MaxUnsentBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>The server's address as text, for messages.</summary>
    internal string EndPointText =>
        EndPoint switch
        {
            DnsEndPoint host => $"{host.Host}:{host.Port}",
            UnixDomainSocketEndPoint socket => $"unix:{socket}",
            _ => $"{EndPoint}",
        };

    /// <summary>Checks the settings; the constructor of <see cref="RespMultiplexer"/> does the same.</summary>
    /// <exception cref="ArgumentException">A setting is invalid; the message names it.</exception>
    public void Validate()
    {
        if (Problems().FirstOrDefault() is { } problem)
            throw new ArgumentException(problem);
    }

    /// <summary>What is wrong with the settings: one line per problem, beginning with the setting's name.</summary>
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
