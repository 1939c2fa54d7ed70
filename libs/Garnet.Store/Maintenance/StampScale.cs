// Resolution of the access-byte clock. Immutable.
namespace Garnet.Store.Maintenance;

/// <summary>Which bits of an access byte hold the stamp, and how stamps are distributed over time.</summary>
/// <param name="Mask">The bits of the stamp.</param>
/// <param name="FirstStepMs">The time covered by one stamp before the first eviction.</param>
/// <param name="LongestStepMs">The maximum time covered by a new stamp.</param>
/// <param name="StepsPerTurnover">Minimum number of stamps within the time that an unused key stays.</param>
/// <param name="SingleStepsBits">Ages up to this power of two of steps are distinguished step by step.</param>
/// <param name="OctaveBits">Beyond that, log2 of the number of stamps for each power of two.</param>
/// <param name="OldestBits">Ages are distinguished up to this power of two of steps.</param>
/// <param name="FewStamps">With fewer free stamps, neighbours are merged.</param>
/// <param name="FewForRestored">With fewer free stamps, restored keys get no stamp of their own.</param>
internal sealed record StampScale(
    byte Mask,
    long FirstStepMs,
    long LongestStepMs,
    int StepsPerTurnover,
    int SingleStepsBits,
    int OctaveBits,
    int OldestBits,
    int FewStamps,
    int FewForRestored
)
{
    /// <summary>The whole byte: to a second within the last minute, to an eighth beyond.</summary>
    public static readonly StampScale Fine = new(0xFF, 1000, 1000, 64, 6, 3, 27, 32, 96);

    /// <summary>
    /// Six bits: to a thirty-second of the time that keys stay, to a quarter beyond half of it, up to sixty-four times as long. Only the
    /// order of keys matters then, so a step may last an hour.
    /// </summary>
    public static readonly StampScale Coarse = new(0x3F, 100, 3_600_000, 32, 4, 2, 11, 12, 24);
}
