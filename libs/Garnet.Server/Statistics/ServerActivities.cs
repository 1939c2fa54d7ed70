// What the server does beside commands, as activities for tracing. Any thread; costs nothing while nobody listens.
using System.Diagnostics;

namespace Garnet.Server.Statistics;

/// <summary>
/// Tells tracers of snapshots, rewrites, loading and slow commands when they are over; never of commands in general. Each activity carries
/// its server's run id, as its source does: OpenTelemetry's exporter groups by the source's name alone and sends the tags of only one of
/// several servers' sources.
/// </summary>
/// <param name="runId">Tells the servers of one process apart.</param>
public sealed class ServerActivities(string runId) : IDisposable
{
    /// <summary>Name of the source, as listeners ask for it.</summary>
    public const string SourceName = "Garnet";

    private readonly KeyValuePair<string, object?> _server = new("garnet.run_id", runId);

    private readonly ActivitySource _source = new(SourceName, ServerVersion.Current, [new("garnet.run_id", runId)]);

    /// <summary>Whether anybody listens.</summary>
    public bool IsWatched => _source.HasListeners();

    /// <summary>Tells of something that has just ended.</summary>
    /// <param name="name">What it was, such as <c>garnet.checkpoint</c>.</param>
    /// <param name="duration">How long it took.</param>
    /// <param name="error">What went wrong; null when nothing did.</param>
    /// <param name="tags">Facts about it.</param>
    public void Record(string name, TimeSpan duration, string? error, params ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        if (!_source.HasListeners())
            return;
        DateTimeOffset end = DateTimeOffset.UtcNow;
        // Not a part of whatever the calling thread is doing for somebody else.
        Activity? outer = Activity.Current;
        Activity.Current = null;
        using (
            Activity? activity = _source.StartActivity(
                name,
                ActivityKind.Internal,
                parentContext: default,
                [_server, .. tags],
                startTime: end - duration
            )
        )
        {
            if (error is not null)
                activity?.SetStatus(ActivityStatusCode.Error, error);
            activity?.SetEndTime(end.UtcDateTime);
        }

        Activity.Current = outer;
    }

    /// <inheritdoc/>
    public void Dispose() => _source.Dispose();
}
