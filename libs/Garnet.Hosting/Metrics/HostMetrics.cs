// Metrics that the host adds to the server's: I/O threads, network memory, TLS. Made once for a server; any thread.
using System.Globalization;
using Garnet.Hosting.Tls;
using Garnet.Network;
using Garnet.Server.Statistics.Metrics;

namespace Garnet.Hosting.Metrics;

/// <summary>What only the transport and the TLS endpoints know.</summary>
internal static class HostMetrics
{
    private const string Thread = "thread";

    /// <summary>These metrics of one server.</summary>
    public static IEnumerable<Metric> Of(ITransport transport, TlsGate tls)
    {
        yield return Metric.Of(
            "garnet.io.threads",
            MetricKind.Gauge,
            "",
            "Threads that read, execute and reply.",
            _ => transport.IoThreads
        );
        yield return PerThread(
            "garnet.io.thread.connections",
            MetricKind.Gauge,
            "",
            "Connections of each thread.",
            static thread => thread.Connections
        );
        yield return PerThread(
            "garnet.io.thread.busy",
            MetricKind.Counter,
            "s",
            "Processor time of each thread.",
            static thread => thread.BusyTime.TotalSeconds
        );
        yield return PerThread(
            "garnet.io.thread.wakes",
            MetricKind.Counter,
            "",
            "Times each thread woke with work.",
            static thread => thread.Wakes
        );
        yield return PerThread(
            "garnet.io.thread.reads",
            MetricKind.Counter,
            "",
            "Receive calls of each thread.",
            static thread => thread.Reads
        );
        yield return PerThread(
            "garnet.io.thread.writes",
            MetricKind.Counter,
            "",
            "Send calls of each thread.",
            static thread => thread.Writes
        );
        yield return Metric.Of("garnet.memory.network", MetricKind.Gauge, "By", "Buffers of connections.", _ => transport.AllocatedBytes);
        yield return new Metric(
            "garnet.tls.handshakes",
            MetricKind.Counter,
            "",
            "TLS handshakes.",
            _ => [MetricSample.Of(tls.Handshakes, "result", "ok"), MetricSample.Of(tls.FailedHandshakes, "result", "failed")]
        );
        yield return new Metric(
            "garnet.tls.certificate.end",
            MetricKind.Gauge,
            "s",
            "Unix time at which the server's certificate expires; absent without TLS.",
            _ =>
                tls.Certificates is { } certificates
                    ? [new MetricSample(new DateTimeOffset(certificates.ServerEnd).ToUnixTimeSeconds())]
                    : []
        );

        Metric PerThread(string name, MetricKind kind, string unit, string help, Func<IoThreadStatistics, double> read) =>
            new(
                name,
                kind,
                unit,
                help,
                _ =>
                    transport.Statistics.Select(thread =>
                        MetricSample.Of(read(thread), Thread, thread.Id.ToString(CultureInfo.InvariantCulture))
                    )
            );
    }
}
