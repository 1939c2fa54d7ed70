// Answers HTTP requests for metrics and health, on any Kestrel server. Any thread.
using System.Text;
using Microsoft.AspNetCore.Http;

namespace Garnet.Hosting.Metrics;

/// <summary>The pages of one server: <c>/metrics</c>, <c>/healthz/live</c> and <c>/healthz/ready</c>.</summary>
internal sealed class MetricPages(GarnetServer server)
{
    /// <summary>Path of the metrics.</summary>
    public const string Metrics = "/metrics";

    /// <summary>Path of the liveness check.</summary>
    public const string Live = "/healthz/live";

    /// <summary>Path of the readiness check.</summary>
    public const string Ready = "/healthz/ready";

    /// <summary>Answers by the path; 404 for any other.</summary>
    public Task AnswerAsync(HttpContext context)
    {
        if (!HttpMethods.IsGet(context.Request.Method) && !HttpMethods.IsHead(context.Request.Method))
        {
            context.Response.Headers.Allow = "GET, HEAD";
            return WriteAsync(context, StatusCodes.Status405MethodNotAllowed, "text/plain", "GET or HEAD\n");
        }

        return context.Request.Path.Value switch
        {
            Metrics => WriteMetricsAsync(context),
            Live => WriteLiveAsync(context),
            Ready => WriteReadyAsync(context),
            _ => WriteAsync(context, StatusCodes.Status404NotFound, "text/plain", $"{Metrics}, {Live} or {Ready}\n"),
        };
    }

    public Task WriteMetricsAsync(HttpContext context) =>
        WriteAsync(context, StatusCodes.Status200OK, PrometheusText.ContentType, PrometheusText.Write(server.Metrics));

    public Task WriteLiveAsync(HttpContext context) => WriteAsync(context, StatusCodes.Status200OK, "text/plain", "alive\n");

    public Task WriteReadyAsync(HttpContext context) =>
        server.NotReadyReason is { } reason
            ? WriteAsync(context, StatusCodes.Status503ServiceUnavailable, "text/plain", reason.ReplaceLineEndings(" ") + "\n")
            : WriteAsync(context, StatusCodes.Status200OK, "text/plain", "ready\n");

    private static Task WriteAsync(HttpContext context, int status, string contentType, string text)
    {
        byte[] body = Encoding.UTF8.GetBytes(text);
        context.Response.StatusCode = status;
        context.Response.ContentType = contentType;
        context.Response.ContentLength = body.Length;
        // Monitoring wants the state of now.
        context.Response.Headers.CacheControl = "no-store";
        return HttpMethods.IsHead(context.Request.Method)
            ? Task.CompletedTask
            : context.Response.Body.WriteAsync(body, context.RequestAborted).AsTask();
    }
}
