// INFO cluster. Any thread.
using Garnet.Server.Basics;

namespace Garnet.Server.Statistics;

/// <summary>Whether the server is part of a cluster.</summary>
internal sealed class ClusterSection() : InfoSection("cluster", "Cluster", isDefault: true)
{
    /// <inheritdoc/>
    public override void Write(InfoText text, CounterTotals totals) => text.Field("cluster_enabled", 0);
}
