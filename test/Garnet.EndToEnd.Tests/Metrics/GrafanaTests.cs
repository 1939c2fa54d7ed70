// The Grafana dashboard and the alert rules of deploy, against Debian's Prometheus. Each test has its own servers.
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text.Json;
using System.Text.RegularExpressions;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Metrics;

public sealed class GrafanaTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);
    private static readonly TimeSpan BetweenTries = TimeSpan.FromMilliseconds(200);

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-grafana-").FullName;
    private readonly HttpClient _http = new() { Timeout = Patience };

    public void Dispose()
    {
        _http.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [PeerFact("prometheus")]
    public async Task Every_query_of_the_dashboard_has_an_answer()
    {
        await using GarnetServer primary = await StartAsync(new GarnetOptions());
        await using GarnetServer replica = await StartAsync(
            new GarnetOptions { ReplicaOf = $"127.0.0.1 {((IPEndPoint)primary.EndPoints[0]).Port}" }
        );
        using var client = RespExchange.Connect(primary.EndPoints[0]);
        using var prometheus = PrometheusProcess.Start(_folder, [primary.MetricEndPoints[0], replica.MetricEndPoints[0]]);
        HashSet<string> unanswered = [.. Queries()];
        Assert.NotEmpty(unanswered);
        long begun = Stopwatch.GetTimestamp();
        while (unanswered.Count > 0 && Stopwatch.GetElapsedTime(begun) < Patience)
        {
            // Rates need calls between two scrapes, and codes of errors an error.
            client.ExecuteText("SET", "key", "value");
            client.ExecuteText("GET", "key");
            client.ExecuteText("GET", "none");
            client.ExecuteText("INCR", "key");
            foreach (string query in unanswered.ToArray())
            {
                if (await HasAnswerAsync(prometheus, query))
                    unanswered.Remove(query);
            }

            await Task.Delay(BetweenTries);
        }

        Assert.Empty(unanswered);
    }

    [PeerFact("promtool")]
    public void Promtool_accepts_the_alert_rules_and_their_tests()
    {
        string rules = RepositoryRoot.Combine("deploy", "prometheus", "garnet-alerts.yml");
        string tests = RepositoryRoot.Combine("deploy", "prometheus", "garnet-alerts.test.yml");
        var check = ClientProcess.Run(Peers.Find("promtool"), ["check", "rules", rules]);
        Assert.True(check.ExitCode == 0, check.Output);
        var test = ClientProcess.Run(Peers.Find("promtool"), ["test", "rules", tests]);
        Assert.True(test.ExitCode == 0, test.Output);
    }

    [Fact]
    public async Task Every_metric_of_the_alert_rules_exists()
    {
        using var certificates = new TestCertificates();
        await using GarnetServer primary = await StartAsync(
            new GarnetOptions
            {
                TlsCertFile = certificates.CertFile,
                TlsKeyFile = certificates.KeyFile,
                TlsCaCertFile = certificates.AuthorityFile,
            }
        );
        await using GarnetServer replica = await StartAsync(
            new GarnetOptions { ReplicaOf = $"127.0.0.1 {((IPEndPoint)primary.EndPoints[0]).Port}" }
        );
        string pages =
            await _http.GetStringAsync(new Uri($"http://{primary.MetricEndPoints[0]}/metrics"))
            + await _http.GetStringAsync(new Uri($"http://{replica.MetricEndPoints[0]}/metrics"));
        string rules = await File.ReadAllTextAsync(RepositoryRoot.Combine("deploy", "prometheus", "garnet-alerts.yml"));
        string[] names = [.. MetricName.Matches(rules).Select(static match => match.Value).Distinct()];
        Assert.True(names.Length >= 9, string.Join(' ', names));
        Assert.All(names, name => Assert.Contains($"\n{name}", pages));
    }

    private static readonly Regex MetricName = new("garnet_[a-z_]+");

    // The variables as Grafana would fill them in.
    private static IEnumerable<string> Queries()
    {
        using var dashboard = JsonDocument.Parse(File.ReadAllText(RepositoryRoot.Combine("deploy", "grafana", "garnet.json")));
        foreach (JsonElement panel in dashboard.RootElement.GetProperty("panels").EnumerateArray())
        {
            foreach (JsonElement target in panel.GetProperty("targets").EnumerateArray())
            {
                yield return target
                    .GetProperty("expr")
                    .GetString()!
                    .Replace("$__rate_interval", "1m", StringComparison.Ordinal)
                    .Replace("$instance", ".*", StringComparison.Ordinal);
            }
        }
    }

    // A number, which hit ratios are not before the first read between two scrapes.
    private async Task<bool> HasAnswerAsync(PrometheusProcess prometheus, string query)
    {
        using HttpResponseMessage response = await _http.GetAsync(
            new Uri(prometheus.Address, "api/v1/query?query=" + Uri.EscapeDataString(query))
        );
        string text = await response.Content.ReadAsStringAsync();
        // A query that Prometheus does not understand will not get better.
        Assert.True(response.StatusCode == HttpStatusCode.OK, $"{query}: {text}");
        using var answer = JsonDocument.Parse(text);
        return answer
            .RootElement.GetProperty("data")
            .GetProperty("result")
            .EnumerateArray()
            .Any(static series => double.IsFinite(double.Parse(series.GetProperty("value")[1].GetString()!, CultureInfo.InvariantCulture)));
    }

    private static async Task<GarnetServer> StartAsync(GarnetOptions options)
    {
        var any = new IPEndPoint(IPAddress.Loopback, 0);
        GarnetServerBuilder builder = new GarnetServerBuilder { Options = options }
            .Listen(any)
            .ListenMetrics(any);
        if (options.TlsCertFile.Length > 0)
            builder.ListenTls(any);
        GarnetServer server = builder.Build();
        await server.StartAsync();
        return server;
    }
}
