// Holds docs/metrics.md to the metrics there are. GARNET_WRITE_DOCS=1 writes its table anew. Starts nothing.
using System.Net;
using System.Text;
using Garnet.Hosting;
using Garnet.Server.Statistics.Metrics;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Metrics;

public sealed class MetricDocumentTests
{
    private const string Begin = "| metric | kind | unit | |\n|---|---|---|---|\n";

    private static readonly string Page = RepositoryRoot.Combine("docs", "metrics.md");

    [Fact]
    public async Task Every_metric_stands_in_the_document()
    {
        await using GarnetServer server = new GarnetServerBuilder().Listen(new IPEndPoint(IPAddress.Loopback, 0)).Build();
        var table = new StringBuilder(Begin);
        foreach (Metric metric in server.Metrics.All)
            table.Append($"| `{metric.Name}` | {metric.Kind.ToString().ToLowerInvariant()} | {metric.Unit} | {metric.Help} |\n");
        string page = File.ReadAllText(Page);
        int begin = page.IndexOf(Begin, StringComparison.Ordinal);
        int end = page.IndexOf("\n\n", begin, StringComparison.Ordinal) + 1;
        if (Environment.GetEnvironmentVariable("GARNET_WRITE_DOCS") == "1")
            File.WriteAllText(Page, page = page[..begin] + table + page[end..]);
        Assert.Contains(table.ToString(), page, StringComparison.Ordinal);
    }
}
