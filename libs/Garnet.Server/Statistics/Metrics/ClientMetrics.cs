// Metrics of clients. Stateless; any thread.
namespace Garnet.Server.Statistics.Metrics;

/// <summary>Connected and rejected clients.</summary>
internal static class ClientMetrics
{
    private const string Reason = "reason";
    private const string Direction = "direction";

    public static IReadOnlyList<Metric> All { get; } =
    [
        Metric.Of("garnet.connections", MetricKind.Gauge, "", "Clients connected.", static look => look.Sources.Clients.Count),
        Metric.Of(
            "garnet.connections.limit",
            MetricKind.Gauge,
            "",
            "maxclients.",
            static look => look.Sources.Configuration.Current.MaxClients
        ),
        Metric.Of(
            "garnet.connections.blocked",
            MetricKind.Gauge,
            "",
            "Clients that wait for a key.",
            static look => look.Sources.Clients.Connected.Count(static client => client.Wait.IsBlocked)
        ),
        Metric.Of(
            "garnet.connections.accepted",
            MetricKind.Counter,
            "",
            "Clients accepted.",
            static look => look.Sources.Statistics.ConnectionsReceived
        ),
        Metric.Of(
            "garnet.connections.rejected",
            MetricKind.Counter,
            "",
            "Clients rejected.",
            static look => look.Sources.Statistics.RejectedConnections
        ),
        new(
            "garnet.connections.cut",
            MetricKind.Counter,
            "",
            "Clients disconnected because of the memory they used.",
            static look =>
                [
                    MetricSample.Of(look.Sources.Statistics.QueryBufferDisconnections, Reason, "query_buffer"),
                    MetricSample.Of(look.Sources.Statistics.OutputBufferDisconnections, Reason, "output_buffer"),
                ]
        ),
        new(
            "garnet.network.io",
            MetricKind.Counter,
            "By",
            "Bytes of requests and replies.",
            static look =>
                [MetricSample.Of(look.Totals.InputBytes, Direction, "in"), MetricSample.Of(look.Totals.OutputBytes, Direction, "out")]
        ),
    ];
}
