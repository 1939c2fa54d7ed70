// What the hybrid cache reports. Any thread.
using Garnet.Caching.Reports;
using Microsoft.Extensions.Logging;

namespace Garnet.Caching.Hybrid;

/// <summary>
/// Its messages, each at most once a minute, since what goes wrong for one request does so for many; what concerns a caller is thrown, not
/// logged.
/// </summary>
internal sealed partial class CacheLog(ILogger logger, TimeProvider time)
{
    private readonly ReportLimit _readFailed = new(time);
    private readonly ReportLimit _writeFailed = new(time);
    private readonly ReportLimit _tooLarge = new(time);
    private readonly ReportLimit _notSerialized = new(time);
    private readonly ReportLimit _notDeserialized = new(time);
    private readonly ReportLimit _rejected = new(time);

    /// <summary>The server could not be read.</summary>
    public void ReadFailed(Exception exception)
    {
        if (_readFailed.IsDue(out long count))
            ReadFailed(count, exception);
    }

    /// <summary>A value could not be stored.</summary>
    public void WriteFailed(Exception exception)
    {
        if (_writeFailed.IsDue(out long count))
            WriteFailed(count, exception);
    }

    /// <summary>A value has more bytes than it may.</summary>
    public void TooLarge(string key, long bytes)
    {
        if (_tooLarge.IsDue(out long count))
            TooLarge(count, key, bytes);
    }

    /// <summary>A serializer failed.</summary>
    public void NotSerialized(Exception exception)
    {
        if (_notSerialized.IsDue(out long count))
            NotSerialized(count, exception);
    }

    /// <summary>A serializer failed at what is stored.</summary>
    public void NotDeserialized(string key, Exception exception)
    {
        if (_notDeserialized.IsDue(out long count))
            NotDeserialized(count, key, exception);
    }

    /// <summary>What is stored is not an entry.</summary>
    public void Rejected(string key)
    {
        if (_rejected.IsDue(out long count))
            Rejected(count, key);
    }

    /// <summary>A key cannot be used.</summary>
    [LoggerMessage(7, LogLevel.Debug, "A key is empty, too long or not valid Unicode; its value is not cached.")]
    public partial void BadKey();

    [LoggerMessage(1, LogLevel.Warning, "The cache's server could not be read ({Count} times); values are loaded without it.")]
    private partial void ReadFailed(long count, Exception exception);

    [LoggerMessage(2, LogLevel.Warning, "{Count} values could not be stored in the cache's server.")]
    private partial void WriteFailed(long count, Exception exception);

    [LoggerMessage(
        3,
        LogLevel.Warning,
        "{Count} values were larger than MaximumPayloadBytes and are not cached; the last, under {Key}, has {Bytes} bytes."
    )]
    private partial void TooLarge(long count, string key, long bytes);

    [LoggerMessage(4, LogLevel.Warning, "{Count} values could not be serialized and are not cached.")]
    private partial void NotSerialized(long count, Exception exception);

    [LoggerMessage(5, LogLevel.Warning, "{Count} stored values could not be deserialized and are loaded anew, the last under {Key}.")]
    private partial void NotDeserialized(long count, string key, Exception exception);

    [LoggerMessage(
        6,
        LogLevel.Warning,
        "{Count} stored values were not written by this version of the cache and are loaded anew, the last under {Key}."
    )]
    private partial void Rejected(long count, string key);
}
