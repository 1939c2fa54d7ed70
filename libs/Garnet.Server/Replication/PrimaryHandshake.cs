// How a replica introduces itself to its primary. One task, used once.
using System.Globalization;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Replication;

/// <summary>
/// PING, AUTH if there is a password, then what this server listens on, what it understands, and the version of Valkey that it is like: a
/// primary chooses the format of its snapshot by it. Errors to the latter come from older primaries, and are ignored.
/// </summary>
internal sealed class PrimaryHandshake(ServerConfiguration configuration, ILogger log, IHostFigures host, PrimaryConnection connection)
{
    // What primaries go by; not the version that clients see.
    private const string ReplicationVersion = "9.1.0";

    /// <summary>Introduces the server; only PSYNC is left to do.</summary>
    /// <exception cref="IOException">The primary has refused something, or the connection ended.</exception>
    public async Task RunAsync(CancellationToken cancel)
    {
        GarnetOptions options = configuration.Current;
        await connection.SendAsync(cancel, "PING").ConfigureAwait(false);
        string pong = await connection.ReadLineAsync(cancel).ConfigureAwait(false);
        bool needsPassword =
            pong.StartsWith("-NOAUTH", StringComparison.Ordinal)
            || pong.StartsWith("-NOPERM", StringComparison.Ordinal)
            || pong.StartsWith("-ERR operation not permitted", StringComparison.Ordinal);
        if (!pong.StartsWith('+') && !needsPassword)
            throw new IOException($"it answered PING with '{pong}'");
        if (options.PrimaryAuth.Length > 0)
            await LogInAsync(options, cancel).ConfigureAwait(false);
        if (AnnouncedPort(options) is { } port)
            await TellAsync(cancel, "listening-port", port.ToString(CultureInfo.InvariantCulture)).ConfigureAwait(false);
        if (options.ReplicaAnnounceIp.Length > 0)
            await TellAsync(cancel, "ip-address", options.ReplicaAnnounceIp).ConfigureAwait(false);
        await TellAsync(cancel, "capa", "eof", "capa", "psync2").ConfigureAwait(false);
        await TellAsync(cancel, "version", ReplicationVersion).ConfigureAwait(false);
    }

    private async Task LogInAsync(GarnetOptions options, CancellationToken cancel)
    {
        string[] words =
            options.PrimaryUser.Length > 0 ? ["AUTH", options.PrimaryUser, options.PrimaryAuth] : ["AUTH", options.PrimaryAuth];
        await connection.SendAsync(cancel, words).ConfigureAwait(false);
        string answer = await connection.ReadLineAsync(cancel).ConfigureAwait(false);
        if (answer.StartsWith('-'))
            throw new IOException($"it refused the login: {answer}");
    }

    private async Task TellAsync(CancellationToken cancel, params string[] words)
    {
        await connection.SendAsync(cancel, ["REPLCONF", .. words]).ConfigureAwait(false);
        string answer = await connection.ReadLineAsync(cancel).ConfigureAwait(false);
        if (answer.StartsWith('-'))
            log.LogInformation("The primary does not understand REPLCONF {Option}: {Answer}", words[0], answer);
    }

    // None for a replica without a TCP endpoint, as inside an application: a Sentinel would try in vain to reach it.
    private int? AnnouncedPort(GarnetOptions options)
    {
        if (options.ReplicaAnnouncePort > 0)
            return options.ReplicaAnnouncePort;
        IReadOnlyList<System.Net.EndPoint> bound = options.TlsReplication ? host.TlsEndPoints : host.EndPoints;
        return bound.OfType<System.Net.IPEndPoint>().FirstOrDefault()?.Port;
    }
}
