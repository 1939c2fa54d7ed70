// What the options of a tier must fulfil. Stateless.
using Garnet.Store.Tiering;

namespace Garnet.Server.Tiering;

/// <summary>Checks options, and makes sizes of them.</summary>
internal static class TierRules
{
    private const long MinDiskBytes = 64L << 20;
    private const int MinSegments = 64;
    private const int SmallestSegmentBytes = 1 << 20;
    private const int LargestSegmentBytes = 16 << 20;
    private const int SmallestBufferBytes = 64 << 10;
    private const int LargestBufferBytes = 1 << 20;
    private const int BuffersPerSegment = 4;

    // All buffers together are not more than a sixty-fourth of the memory.
    private const int MemoryPerBuffer = 512;

    /// <summary>Why a server with these options cannot have a tier; null if it can.</summary>
    public static string? Problem(GarnetOptions options)
    {
        if (options.MaxMemoryBytes == 0)
            return "maxdisk needs maxmemory: values move to disk when memory is full";
        if (options.MaxDiskBytes < MinDiskBytes)
            return $"maxdisk {options.MaxDiskBytes}: at least {MinDiskBytes} bytes";
        if (options.MaxDiskBytes > ColdLocator.MaxTierBytes)
            return $"maxdisk {options.MaxDiskBytes}: at most {ColdLocator.MaxTierBytes} bytes";
        return null;
    }

    /// <summary>The sizes of a tier.</summary>
    public static TierOptions Sizes(GarnetOptions options)
    {
        int segment = LargestSegmentBytes;
        while (segment > SmallestSegmentBytes && options.MaxDiskBytes / segment < MinSegments)
            segment /= 2;
        return new TierOptions
        {
            MaxBytes = options.MaxDiskBytes,
            MinValueBytes = options.TierMinValueBytes,
            MaxValueBytes = options.TierMaxValueBytes,
            SegmentBytes = segment,
            BufferBytes = BufferFor(options.MaxMemoryBytes, segment),
        };
    }

    private static int BufferFor(long memory, int segment)
    {
        long share = Math.Clamp(memory / MemoryPerBuffer, SmallestBufferBytes, LargestBufferBytes);
        return (int)Math.Min(share, segment / BuffersPerSegment) & -SmallestBufferBytes;
    }
}
