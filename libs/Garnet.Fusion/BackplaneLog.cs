// What the backplane reports. One thread.
using Microsoft.Extensions.Logging;

namespace Garnet.Fusion;

/// <summary>
/// Counts messages that no FusionCache has sent, and reports them at most once a minute, since whoever sends one sends many.
/// </summary>
internal sealed partial class BackplaneLog(ILogger logger, TimeProvider time)
{
    private static readonly TimeSpan ReportEvery = TimeSpan.FromMinutes(1);

    private long _unreported;
    private long? _reportedAt;

    /// <summary>A message on the backplane's channel could not be read.</summary>
    public void Foreign(string channel)
    {
        _unreported++;
        if (_reportedAt is { } at && time.GetElapsedTime(at) < ReportEvery)
            return;
        Ignored(_unreported, channel);
        (_unreported, _reportedAt) = (0, time.GetTimestamp());
    }

    [LoggerMessage(1, LogLevel.Warning, "{Count} messages on the channel {Channel} were not FusionCache's; the backplane ignores them.")]
    private partial void Ignored(long count, string channel);
}
