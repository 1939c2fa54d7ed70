// Accepts connections with TLS. One for a server; any thread.
using System.IO.Pipelines;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Garnet.Network.Tls;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.Extensions.Logging;

namespace Garnet.Hosting.Tls;

/// <summary>
/// Shakes hands with what comes to the TLS endpoints and hands it on. New certificates hold for connections accepted from then on; those
/// that are there keep theirs.
/// </summary>
internal sealed class TlsGate : IDisposable
{
    private static readonly string[] MaterialOptions =
    [
        "tls-cert-file",
        "tls-key-file",
        "tls-key-file-pass",
        "tls-pfx-file",
        "tls-ca-cert-file",
        "tls-ca-cert-dir",
        "tls-auth-clients",
        "tls-protocols",
        "tls-ciphers",
        "tls-ciphersuites",
        "tls-session-caching",
    ];

    private readonly ServerConfiguration _configuration;
    private readonly ServerEndPoints _endPoints;
    private readonly TimeProvider _time;
    private readonly Func<string, bool> _isUser;
    private readonly ILogger _log;
    private readonly ThrottledLog _plainText;
    private readonly ThrottledLog _failures;
    private readonly ThrottledLog _users;
    private readonly Lock _loading = new();
    private readonly ITimer _watch;
    private volatile TlsMaterial? _material;
    private (GarnetOptions Options, TlsMaterial Material, string Fingerprint)? _candidate;
    private string _fingerprint = "";
    private long _lastLook;
    private int _handshaking;
    private long _handshakes;
    private long _failedHandshakes;

    /// <summary>
    /// Reads the certificates where there are endpoints that need them; where there may be some later, <see cref="Prepare"/> does.
    /// </summary>
    /// <param name="configuration">The options.</param>
    /// <param name="endPoints">The endpoints to serve.</param>
    /// <param name="time">The clock.</param>
    /// <param name="loggers">For log messages.</param>
    /// <param name="isUser">Whether a name in a client's certificate is that of a user who may log in; called once connections are served.</param>
    /// <exception cref="OptionException">They cannot be used.</exception>
    public TlsGate(
        ServerConfiguration configuration,
        ServerEndPoints endPoints,
        TimeProvider time,
        ILoggerFactory loggers,
        Func<string, bool> isUser
    )
    {
        _configuration = configuration;
        _endPoints = endPoints;
        _time = time;
        _isUser = isUser;
        _log = loggers.CreateLogger("Garnet.Tls");
        (_plainText, _failures, _users) = (new ThrottledLog(time), new ThrottledLog(time), new ThrottledLog(time));
        if (IsUsed(configuration.Current))
            Load(configuration.Current);
        foreach (string option in MaterialOptions)
        {
            configuration.Check(option, Try);
            configuration.OnChange(option, Apply);
        }

        _lastLook = time.GetTimestamp();
        var second = TimeSpan.FromSeconds(1);
        _watch = time.CreateTimer(static gate => ((TlsGate)gate!).Look(), this, second, second);
    }

    /// <summary>Number of successful handshakes.</summary>
    public long Handshakes => Volatile.Read(ref _handshakes);

    /// <summary>Number of failed handshakes.</summary>
    public long FailedHandshakes => Volatile.Read(ref _failedHandshakes);

    /// <summary>What handshakes of browsers are made with; null without a certificate.</summary>
    public SslServerAuthenticationOptions? BrowserAuthentication => _material?.BrowserAuthentication;

    /// <summary>The certificates as shown by INFO.</summary>
    public TlsCertificates? Certificates
    {
        get
        {
            if (_material is not { } material)
                return null;
            X509Certificate2? authority = material.Authorities.MinBy(static authority => authority.NotAfter);
            return new TlsCertificates(
                material.Certificate.SerialNumber,
                material.Certificate.NotAfter.ToUniversalTime(),
                authority?.SerialNumber,
                authority?.NotAfter.ToUniversalTime()
            );
        }
    }

    /// <summary>Shakes hands and serves the connection until it ends.</summary>
    /// <param name="connection">The connection as it was accepted.</param>
    /// <param name="session">Serves it under TLS; is given the names of users that the client's certificate holds.</param>
    public async Task ServeAsync(ConnectionContext connection, Func<ConnectionContext, IReadOnlyList<string>, Task> session)
    {
        if (await AcceptAsync(connection).ConfigureAwait(false) is not { } tls)
            return;
        Interlocked.Increment(ref _handshakes);
        await using (tls.ConfigureAwait(false))
            await session(connection, UsersOf(connection, tls)).ConfigureAwait(false);
    }

    /// <summary>Reads the certificates when options to be open endpoints that need them; answers what is wrong, or null.</summary>
    public string? Prepare(GarnetOptions options)
    {
        // While no endpoint needed them, options were taken without a look at the files.
        if (!IsUsed(options) || (_material is not null && IsUsed(_configuration.Current)))
            return null;
        try
        {
            lock (_loading)
                Load(options);
            return null;
        }
        catch (OptionException e)
        {
            return e.Message;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _watch.Dispose();

    private async Task<TlsConnection?> AcceptAsync(ConnectionContext connection)
    {
        GarnetOptions options = _configuration.Current;
        CancellationToken stopping =
            connection.Features.Get<IConnectionLifetimeNotificationFeature>()?.ConnectionClosedRequested ?? CancellationToken.None;
        using var patience = new CancellationTokenSource(TimeSpan.FromMilliseconds(options.TlsHandshakeTimeoutMs), _time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, stopping);
        var refusal = CertificateRefusal.Begin();
        try
        {
            // Those who only shake hands are no clients yet, and no more of them are listened to at once than clients.
            bool hasPlace = Interlocked.Increment(ref _handshaking) <= options.MaxClients;
            // A port scan connects and disconnects without sending a byte, which is not a handshake.
            if (hasPlace && await LeavesAtOnceAsync(connection, ended.Token).ConfigureAwait(false))
                return null;
            if (hasPlace)
            {
                return await TlsConnection
                    .AcceptAsync(
                        connection,
                        _material!.Authentication,
                        new TlsOptions { WriteBytes = (int)options.TlsWriteBytes },
                        ended.Token
                    )
                    .ConfigureAwait(false);
            }

            if (_failures.TryPass(out long leftOut))
            {
                _log.LogWarning(
                    "TLS: {Address} closed: as many clients as maxclients allows are shaking hands ({LeftOut} more messages left out)",
                    connection.RemoteEndPoint,
                    leftOut
                );
            }
        }
        catch (PlainTextException)
        {
            if (_plainText.TryPass(out long leftOut))
            {
                _log.LogWarning(
                    "TLS: {Address} closed: it does not speak TLS, and this port does ({LeftOut} more messages left out)",
                    connection.RemoteEndPoint,
                    leftOut
                );
            }
        }
        // A stranger's bytes: for some, such as records without content, .NET throws other exceptions than it documents.
        catch (Exception e)
        {
            LogFailure(connection, e, refusal.Reason, patience.IsCancellationRequested, options);
        }
        finally
        {
            Interlocked.Decrement(ref _handshaking);
        }

        Interlocked.Increment(ref _failedHandshakes);
        return null;
    }

    private static async ValueTask<bool> LeavesAtOnceAsync(ConnectionContext connection, CancellationToken cancellationToken)
    {
        ReadResult first = await connection.Transport.Input.ReadAsync(cancellationToken).ConfigureAwait(false);
        bool leaves = first.Buffer.IsEmpty && first.IsCompleted;
        connection.Transport.Input.AdvanceTo(first.Buffer.Start);
        return leaves;
    }

    private void LogFailure(ConnectionContext connection, Exception e, string? refusal, bool isLate, GarnetOptions options)
    {
        if (isLate)
        {
            if (_failures.TryPass(out long leftOut))
            {
                _log.LogInformation(
                    "TLS: {Address} closed: the handshake took longer than tls-handshake-timeout-ms {Timeout} ({LeftOut} more messages left out)",
                    connection.RemoteEndPoint,
                    options.TlsHandshakeTimeoutMs,
                    leftOut
                );
            }
        }
        else if (e is not (IOException or OperationCanceledException))
        {
            if (_failures.TryPass(out long leftOut))
            {
                _log.LogInformation(
                    "TLS: {Address} closed: {Reason} ({LeftOut} more messages left out)",
                    connection.RemoteEndPoint,
                    refusal ?? Joined(e),
                    leftOut
                );
            }
        }
        else
        {
            _log.LogDebug("TLS: {Address} disconnected during the handshake", connection.RemoteEndPoint);
        }
    }

    private static string Joined(Exception e) => e.InnerException is { } cause ? $"{e.Message} {cause.Message}" : e.Message;

    private IReadOnlyList<string> UsersOf(ConnectionContext connection, TlsConnection tls)
    {
        CertificateField field = _configuration.Current.TlsAuthClientsUser;
        if (field == CertificateField.Off || tls.Session.RemoteCertificate is not X509Certificate2 certificate)
            return [];
        IReadOnlyList<string> names = CertificateUser.NamesIn(certificate, field);
        if (!names.Any(_isUser) && _users.TryPass(out long leftOut))
        {
            _log.LogWarning(
                "TLS: {Address}: its certificate names no user of this server that may log in ({Names}), so it has to log in itself ({LeftOut} more messages left out)",
                connection.RemoteEndPoint,
                string.Join(", ", names),
                leftOut
            );
        }

        return names;
    }

    /// <summary>Whether options name a certificate, with which the dashboard is served, too.</summary>
    public static bool HasCertificate(GarnetOptions options) => options.TlsCertFile.Length > 0 || options.TlsPfxFile.Length > 0;

    private bool IsUsed(GarnetOptions options) =>
        (_endPoints.FollowOptions ? options.TlsPort != 0 : _endPoints.Tls.Bound.Count > 0)
        || (_endPoints.Dashboard.Count > 0 && HasCertificate(options));

    private void Load(GarnetOptions options)
    {
        var files = new TlsFiles(options);
        string fingerprint = files.Fingerprint();
        (_material, _fingerprint) = (files.Load(_time.GetUtcNow()), fingerprint);
    }

    // Called by changes of options, one at a time, as is what follows.
    private string? Try(GarnetOptions options)
    {
        _candidate = null;
        if (!IsUsed(options))
            return null;
        try
        {
            var files = new TlsFiles(options);
            string fingerprint = files.Fingerprint();
            _candidate = (options, files.Load(_time.GetUtcNow()), fingerprint);
            return null;
        }
        catch (OptionException e)
        {
            return e.Message;
        }
    }

    private void Apply(GarnetOptions options)
    {
        if (_candidate is not { } candidate || candidate.Options != options)
            return;
        _candidate = null;
        lock (_loading)
            (_material, _fingerprint) = (candidate.Material, candidate.Fingerprint);
        LogLoaded(candidate.Material);
    }

    private void Look()
    {
        int period = _configuration.Current.TlsAutoReloadIntervalSeconds;
        if (_material is null || period == 0 || _time.GetElapsedTime(_lastLook) < TimeSpan.FromSeconds(period) || !_loading.TryEnter())
            return;
        try
        {
            _lastLook = _time.GetTimestamp();
            ReloadChanged();
        }
        finally
        {
            _loading.Exit();
        }
    }

    // Files that are being replaced one after another fit together only when the last one is there: until then the old certificate stays,
    // and each further change is another try.
    private void ReloadChanged()
    {
        var files = new TlsFiles(_configuration.Current);
        try
        {
            string fingerprint = files.Fingerprint();
            if (fingerprint == _fingerprint)
                return;
            _fingerprint = fingerprint;
            TlsMaterial material = files.Load(_time.GetUtcNow());
            _material = material;
            LogLoaded(material);
        }
        catch (OptionException e)
        {
            _log.LogWarning("TLS: the certificate files have changed and cannot be used; the old certificate stays. {Problem}", e.Message);
        }
    }

    private void LogLoaded(TlsMaterial material) =>
        _log.LogInformation(
            "TLS: certificate {Serial} loaded, valid until {End:u}; connections that are open keep theirs",
            material.Certificate.SerialNumber,
            material.Certificate.NotAfter.ToUniversalTime()
        );
}
