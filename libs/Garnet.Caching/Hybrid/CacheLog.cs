// What the hybrid cache reports. Any thread.
using Microsoft.Extensions.Logging;

namespace Garnet.Caching.Hybrid;

/// <summary>Its messages; what concerns a caller is thrown, not logged.</summary>
internal sealed partial class CacheLog(ILogger logger)
{
    [LoggerMessage(1, LogLevel.Warning, "The cache's server could not be read; values are loaded without it.")]
    public partial void ReadFailed(Exception exception);

    [LoggerMessage(2, LogLevel.Warning, "A value could not be stored in the cache's server.")]
    public partial void WriteFailed(Exception exception);

    [LoggerMessage(3, LogLevel.Warning, "The value under {Key} has {Bytes} bytes, more than MaximumPayloadBytes; it is not cached.")]
    public partial void TooLarge(string key, long bytes);

    [LoggerMessage(4, LogLevel.Warning, "A value could not be serialized; it is not cached.")]
    public partial void NotSerialized(Exception exception);

    [LoggerMessage(5, LogLevel.Warning, "What is stored under {Key} could not be deserialized; it is loaded anew.")]
    public partial void NotDeserialized(string key, Exception exception);

    [LoggerMessage(6, LogLevel.Warning, "What is stored under {Key} was not written by this version of the cache; it is loaded anew.")]
    public partial void Rejected(string key);

    [LoggerMessage(7, LogLevel.Debug, "A key is empty, too long or not valid Unicode; its value is not cached.")]
    public partial void BadKey();
}
