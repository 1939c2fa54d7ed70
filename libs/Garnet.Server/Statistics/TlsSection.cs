// INFO tls. Any thread.

using Garnet.Engine.Clients;
using Garnet.Server.Basics;

namespace Garnet.Server.Statistics;

/// <summary>
/// The certificates in use. The server makes no outgoing connections, so the fields of a client certificate are always empty.
/// </summary>
internal sealed class TlsSection(IHostFigures host, ServerClock clock) : InfoSection("tls", "TLS", isDefault: false)
{
    /// <inheritdoc/>
    public override void Write(InfoText text, CounterTotals totals)
    {
        TlsCertificates? certificates = host.Certificates;
        DateTime now = clock.Time.GetUtcNow().UtcDateTime;
        text.Field("tls_server_cert_serial", certificates?.ServerSerial ?? "none");
        text.Field("tls_server_cert_expires_in_seconds", SecondsUntil(certificates?.ServerEnd, now));
        text.Field("tls_client_cert_serial", "none");
        text.Field("tls_client_cert_expires_in_seconds", 0);
        text.Field("tls_ca_cert_serial", certificates?.AuthoritySerial ?? "none");
        text.Field("tls_ca_cert_expires_in_seconds", SecondsUntil(certificates?.AuthorityEnd, now));
    }

    private static long SecondsUntil(DateTime? end, DateTime now) => end is { } known ? Math.Max(0, (long)(known - now).TotalSeconds) : 0;
}
