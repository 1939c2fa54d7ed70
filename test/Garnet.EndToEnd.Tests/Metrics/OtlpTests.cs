// What OpenTelemetry's exporter sends about a server. Only loopback, on ports chosen by the system; other tests' servers in this process
// are observed as well, and distinguished.
using System.Net;
using Garnet.Testing;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;
using Xunit;

namespace Garnet.EndToEnd.Tests.Metrics;

public sealed class OtlpTests : IDisposable
{
    private const int TimeoutMs = 30_000;
    private const int ScopeName = 1;
    private const int MetricName = 1;
    private const int Gauge = 5;
    private const int Sum = 7;
    private const int PointAttributes = 7;
    private const int SpanName = 5;
    private const int SpanAttributes = 9;

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-otlp-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Metrics_reach_a_collector()
    {
        await using OtlpCollector collector = await OtlpCollector.StartAsync();
        await using GarnetServer server = await StartAsync();
        using MeterProvider provider = Sdk.CreateMeterProviderBuilder()
            .AddMeter("Garnet")
            // OpenTelemetry ignores all instruments after the thousandth, which other tests' servers can have taken.
            .AddView(instrument => instrument.Meter.Scope == server.Resp.Identity ? null : MetricStreamConfiguration.Drop)
            .AddOtlpExporter(options => Send(options, collector, "v1/metrics"))
            .Build();
        using (var client = RespExchange.Connect(server.EndPoints[0]))
            client.ExecuteText("SET", "k", "v");
        Assert.True(provider.ForceFlush(TimeoutMs));
        string[] names =
        [
            .. collector
                .Metrics.Where(sent => sent.Scope.Text(ScopeName) == "Garnet" && IsOf(server, sent.Item))
                .Select(static sent => sent.Item.Text(MetricName)),
        ];
        // All instruments that have measurements.
        foreach (
            string name in new[]
            {
                "garnet.commands",
                "garnet.command.duration.bucket",
                "garnet.keys",
                "garnet.memory.used",
                "garnet.connections",
                "garnet.io.threads",
                "garnet.checkpoint.saves",
            }
        )
        {
            Assert.Contains(name, names);
        }
    }

    [Fact]
    public async Task Activities_reach_a_collector()
    {
        await using OtlpCollector collector = await OtlpCollector.StartAsync();
        await using GarnetServer server = await StartAsync();
        await using GarnetServer other = await StartAsync();
        using TracerProvider provider = Sdk.CreateTracerProviderBuilder()
            .AddSource("Garnet")
            .AddOtlpExporter(options => Send(options, collector, "v1/traces"))
            .Build();
        // The other server's first: the exporter sends both under that one's scope.
        foreach (GarnetServer saved in new[] { other, server })
        {
            using var client = RespExchange.Connect(saved.EndPoints[0]);
            client.ExecuteText("SET", "k", "v");
            Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
        }

        Assert.True(provider.ForceFlush(TimeoutMs));
        (ProtobufMessage _, ProtobufMessage span) = Assert.Single(
            collector.Spans,
            sent =>
                OtlpCollector.Attribute(sent.Item, SpanAttributes, "garnet.run_id") == server.Resp.Identity.RunId
                && sent.Item.Text(SpanName) == "garnet.checkpoint"
        );
        Assert.StartsWith(_folder, OtlpCollector.Attribute(span, SpanAttributes, "garnet.path"), StringComparison.Ordinal);
    }

    private static void Send(OtlpExporterOptions options, OtlpCollector collector, string path)
    {
        options.Protocol = OtlpExportProtocol.HttpProtobuf;
        options.Endpoint = new Uri(collector.Address, path);
    }

    // A metric is a gauge or a sum { 1: data points { 7: attributes } }.
    private static bool IsOf(GarnetServer server, ProtobufMessage metric) =>
        metric
            .Messages(Gauge)
            .Concat(metric.Messages(Sum))
            .SelectMany(static data => data.Messages(1))
            .Any(point => OtlpCollector.Attribute(point, PointAttributes, "garnet.server") == server.Name);

    private async Task<GarnetServer> StartAsync()
    {
        string folder = Directory.CreateDirectory(Path.Combine(_folder, Guid.NewGuid().ToString())).FullName;
        GarnetServer server = new GarnetServerBuilder
        {
            Name = "otlp" + Guid.NewGuid(),
            Options = new GarnetOptions { Dir = folder },
        }
            .Listen(new IPEndPoint(IPAddress.Loopback, 0))
            .Build();
        await server.StartAsync();
        return server;
    }
}
