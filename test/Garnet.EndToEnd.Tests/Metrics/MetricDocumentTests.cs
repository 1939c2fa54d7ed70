// Checks the table in docs/metrics.md against the metrics that exist. GARNET_WRITE_DOCS=1 regenerates it. Starts no server.
using System.Net;
using System.Text;
using Garnet.Server.Statistics.Metrics;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Metrics;

public sealed class MetricDocumentTests
{
    private const string Begin = "| metric | kind | unit | |\n|---|---|---|---|\n";

    private static readonly string Page = RepositoryRoot.Combine("docs", "metrics.md");

    [Fact]
    public async Task Every_metric_is_documented()
    {
        await using GarnetServer server = new GarnetServerBuilder().Listen(new IPEndPoint(IPAddress.Loopback, 0)).Build();
        var table = new StringBuilder(Begin);
        foreach (Metric metric in server.Metrics.All)
            table.Append($"| `{metric.Name}` | {metric.Kind.ToString().ToLowerInvariant()} | {metric.Unit} | {metric.Help} |\n");
        string page = File.ReadAllText(Page);
        int begin = page.IndexOf(Begin, StringComparison.Ordinal);
        int end = page.IndexOf("\n\n", begin, StringComparison.Ordinal) + 1;
        string expected = page[..begin] + table + page[end..];
        Assert.True(
            expected == GeneratedDocument.WriteAndRead(Page, expected),
            GeneratedDocument.Remedy(Page, "Garnet.EndToEnd.Tests", nameof(MetricDocumentTests))
        );
    }
}
