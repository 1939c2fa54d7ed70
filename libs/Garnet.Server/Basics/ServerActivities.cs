// Operations of the server other than commands, as activities for tracing. Any thread; costs nothing without listeners.
using System.Diagnostics;

namespace Garnet.Server.Basics;

/// <summary>
/// Reports snapshots, rewrites, loading and slow commands to tracers when they end; never ordinary commands. Each activity carries its
/// server's run id, and the source does not: OpenTelemetry's exporter groups by the source's name alone and would send the tags of only one
/// of several servers' sources.
/// </summary>
/// <param name="runId">Distinguishes the servers of one process.</param>
internal sealed class ServerActivities(string runId) : IDisposable
{
    /// <summary>Name of the activity source.</summary>
    public const string SourceName = "Garnet";

    private readonly KeyValuePair<string, object?> _server = new("garnet.run_id", runId);

    private readonly ActivitySource _source = new(SourceName, ServerVersion.Current);

    /// <summary>Whether there are listeners.</summary>
    public bool IsWatched => _source.HasListeners();

    /// <summary>Reports an operation that has just ended.</summary>
    /// <param name="name">The operation, such as <c>garnet.checkpoint</c>.</param>
    /// <param name="duration">Its duration.</param>
    /// <param name="error">The error; null when it succeeded.</param>
    /// <param name="tags">Its attributes.</param>
    public void Record(string name, TimeSpan duration, string? error, params ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        if (!_source.HasListeners())
            return;
        DateTimeOffset end = DateTimeOffset.UtcNow;
        // Independent of the activity that the calling thread is working for.
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
