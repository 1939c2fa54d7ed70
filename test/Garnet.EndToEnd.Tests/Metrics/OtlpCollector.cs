// An OpenTelemetry collector's HTTP endpoint that keeps what it receives. Started and disposed of by one test; requests come on any thread.
using System.Collections.Concurrent;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Garnet.EndToEnd.Tests.Metrics;

/// <summary>
/// Parses ExportMetricsServiceRequest and ExportTraceServiceRequest, which have the same structure: request { 1: resource { 2: scope { 1:
/// the scope, 2: metrics or spans } } }; scope { 1: name, 3: attributes }.
/// </summary>
internal sealed class OtlpCollector : IAsyncDisposable
{
    private readonly WebApplication _application;

    private OtlpCollector(WebApplication application) => _application = application;

    /// <summary>The received metrics, each with its scope.</summary>
    public ConcurrentQueue<(ProtobufMessage Scope, ProtobufMessage Item)> Metrics { get; } = [];

    /// <summary>The received spans, each with its scope.</summary>
    public ConcurrentQueue<(ProtobufMessage Scope, ProtobufMessage Item)> Spans { get; } = [];

    public Uri Address =>
        new(_application.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.Single());

    public static async Task<OtlpCollector> StartAsync()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        var collector = new OtlpCollector(builder.Build());
        collector._application.MapPost("/v1/metrics", (HttpRequest request) => KeepAsync(request, collector.Metrics));
        collector._application.MapPost("/v1/traces", (HttpRequest request) => KeepAsync(request, collector.Spans));
        await collector._application.StartAsync();
        return collector;
    }

    /// <summary>The value of an attribute { 1: key, 2: value { 1: text } } among those in a field; null if there is none.</summary>
    public static string? Attribute(ProtobufMessage message, int field, string key) =>
        message.Messages(field).FirstOrDefault(attribute => attribute.Text(1) == key)?.Messages(2).Single().Text(1);

    public ValueTask DisposeAsync() => _application.DisposeAsync();

    private static async Task<IResult> KeepAsync(HttpRequest request, ConcurrentQueue<(ProtobufMessage Scope, ProtobufMessage Item)> kept)
    {
        using var body = new MemoryStream();
        await request.Body.CopyToAsync(body);
        foreach (
            ProtobufMessage scoped in new ProtobufMessage(body.ToArray()).Messages(1).SelectMany(static resource => resource.Messages(2))
        )
        {
            foreach (ProtobufMessage item in scoped.Messages(2))
                kept.Enqueue((scoped.Messages(1).Single(), item));
        }

        // An empty message: everything was accepted.
        return Results.Bytes(Array.Empty<byte>(), "application/x-protobuf");
    }
}
