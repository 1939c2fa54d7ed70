// How finely the clock of access bytes tells ages apart. Immutable.
namespace Garnet.Store.Maintenance;

/// <summary>Which bits of an access byte are a stamp, and how the stamps are spread over time.</summary>
/// <param name="Mask">The bits of the stamp.</param>
/// <param name="FirstStepMs">The time one stamp stands for before any key was evicted.</param>
/// <param name="LongestStepMs">The longest time one stamp stands for when it is new.</param>
/// <param name="StepsPerTurnover">How many stamps there are at least in the time that a key stays which is not used again.</param>
/// <param name="SingleStepsBits">Ages are told apart by single steps up to this power of two.</param>
/// <param name="OctaveBits">From there each power of two has so many parts, as a power of two.</param>
/// <param name="OldestBits">Ages are told apart up to this power of two of steps.</param>
/// <param name="FewStamps">With fewer free stamps neighbours are merged.</param>
/// <param name="FewForRestored">With fewer free stamps keys that come from outside get none of their own.</param>
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
    /// <summary>The whole byte: to a second in the last minute, to an eighth beyond.</summary>
    public static readonly StampScale Fine = new(0xFF, 1000, 1000, 64, 6, 3, 27, 32, 96);

    /// <summary>
    /// Six bits: to a thirty-second of the time that keys stay, to a quarter beyond half of it, up to sixty-four times as long. Only the
    /// order of keys matters then, so a step may last an hour.
    /// </summary>
    public static readonly StampScale Coarse = new(0x3F, 100, 3_600_000, 32, 4, 2, 11, 12, 24);
}
