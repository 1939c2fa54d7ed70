// The limit of unsent replies of one class of clients. Immutable, any thread.
namespace Garnet;

/// <summary>Unsent replies at which a client is disconnected; 0 means no limit.</summary>
public readonly record struct OutputBufferLimit
{
    /// <summary>A limit.</summary>
    /// <param name="hardBytes">Disconnected at once at this size.</param>
    /// <param name="softBytes">Disconnected when at this size or above for longer than <paramref name="softPeriod"/>.</param>
    /// <param name="softPeriod">How long the soft limit may be exceeded; rounded up to seconds.</param>
    public OutputBufferLimit(long hardBytes, long softBytes, TimeSpan softPeriod)
        : this(hardBytes, softBytes, (long)Math.Ceiling(softPeriod.TotalSeconds)) { }

    internal OutputBufferLimit(long hardBytes, long softBytes, long softSeconds)
    {
        HardBytes = hardBytes;
        SoftBytes = softBytes;
        SoftSeconds = softSeconds;
    }

    /// <summary>Disconnected at once at this size.</summary>
    public long HardBytes { get; }

    /// <summary>Disconnected when at this size or above for longer than <see cref="SoftPeriod"/>.</summary>
    public long SoftBytes { get; }

    /// <summary>How long the soft limit may be exceeded.</summary>
    public TimeSpan SoftPeriod =>
        SoftSeconds < (long)TimeSpan.MaxValue.TotalSeconds ? TimeSpan.FromSeconds(SoftSeconds) : TimeSpan.MaxValue;

    internal long SoftSeconds { get; }

    internal bool IsNone => HardBytes == 0 && SoftBytes == 0;
}
