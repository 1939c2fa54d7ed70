// A read of a part of a segment, by a thread that waits for it. Stateless.
namespace Garnet.Store.Tiering;

/// <summary>For threads that clean or save; commands read by <see cref="TierLoads"/>.</summary>
internal static class SegmentRead
{
    /// <summary>The result of a read that was given up: its memory is the device's until the end of the process.</summary>
    public const int Abandoned = -1;

    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(100);

    /// <summary>Reads, and returns 0, an error's number, or <see cref="Abandoned"/>.</summary>
    /// <param name="device">The disk.</param>
    /// <param name="position">The first byte.</param>
    /// <param name="target">Where they go.</param>
    /// <param name="bytes">How many.</param>
    /// <param name="givesUp">Asked from time to time whether to wait any longer.</param>
    public static int Read(ITierDevice device, long position, nint target, int bytes, Func<bool> givesUp)
    {
        var over = new ManualResetEventSlim();
        int error = 0;
        device.Read(
            position,
            target,
            bytes,
            result =>
            {
                error = result;
                over.Set();
            }
        );
        while (!over.Wait(Patience))
        {
            if (givesUp())
                return Abandoned;
        }

        return error;
    }
}
