// What the backplane reports. Any thread.
using Garnet.Caching.Reports;
using Microsoft.Extensions.Logging;

namespace Garnet.Fusion;

/// <summary>Its messages, each at most once a minute: whoever sends what is no message of FusionCache's sends many.</summary>
internal sealed partial class BackplaneLog(ILogger logger, TimeProvider time)
{
    private readonly ReportLimit _foreign = new(time);
    private readonly ReportLimit _failed = new(time);
    private readonly ReportLimit _lookFailed = new(time);

    /// <summary>A message on the backplane's channel could not be read.</summary>
    public void Foreign(string channel)
    {
        if (_foreign.IsDue(out long count))
            Foreign(count, channel);
    }

    /// <summary>The cache failed at a message.</summary>
    public void Failed(string channel, Exception exception)
    {
        if (_failed.IsDue(out long count))
            Failed(count, channel, exception);
    }

    /// <summary>The connection could not be looked after, or the cache failed when it was told of it.</summary>
    public void LookFailed(string channel, Exception exception)
    {
        if (_lookFailed.IsDue(out long count))
            LookFailed(count, channel, exception);
    }

    [LoggerMessage(1, LogLevel.Warning, "{Count} messages on the channel {Channel} were not FusionCache's; the backplane ignores them.")]
    private partial void Foreign(long count, string channel);

    [LoggerMessage(2, LogLevel.Error, "FusionCache failed at {Count} messages on the channel {Channel}; what they said is not applied.")]
    private partial void Failed(long count, string channel, Exception exception);

    [LoggerMessage(3, LogLevel.Error, "The backplane on the channel {Channel} failed to look after its connection ({Count} times).")]
    private partial void LookFailed(long count, string channel, Exception exception);
}
