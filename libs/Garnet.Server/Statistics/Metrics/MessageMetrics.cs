// Metrics of publishing and subscribing. Stateless; any thread.
using Garnet.Server.Messaging;

namespace Garnet.Server.Statistics.Metrics;

/// <summary>Messages, and what clients have subscribed to.</summary>
internal static class MessageMetrics
{
    private const string Kind = "kind";

    public static IReadOnlyList<Metric> All { get; } =
    [
        Metric.Of(
            "garnet.messages.published",
            MetricKind.Counter,
            "",
            "Messages published, whether or not they had receivers.",
            static look => look.Sources.Messages.Published
        ),
        Metric.Of(
            "garnet.messages.delivered",
            MetricKind.Counter,
            "",
            "Messages delivered, counted once for each subscriber.",
            static look => look.Sources.Messages.Delivered
        ),
        new(
            "garnet.messages.topics",
            MetricKind.Gauge,
            "",
            "Channels, patterns and shard channels that have subscribers.",
            static look =>
                [
                    MetricSample.Of(look.Sources.Messages.CountOf(TopicKind.Channel), Kind, "channel"),
                    MetricSample.Of(look.Sources.Messages.CountOf(TopicKind.Pattern), Kind, "pattern"),
                    MetricSample.Of(look.Sources.Messages.CountOf(TopicKind.ShardChannel), Kind, "shard_channel"),
                ]
        ),
    ];
}
