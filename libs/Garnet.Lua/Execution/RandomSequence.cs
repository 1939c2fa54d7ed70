// The deterministic numbers of math.random. Used by the thread that runs the state.
namespace Garnet.Lua.Execution;

/// <summary>
/// The linear congruential generator of POSIX' lrand48: 48 bits of state, of which the upper 31 are returned. It starts alike in each
/// state, as in Valkey, so that scripts give the same results wherever they run.
/// </summary>
internal sealed class RandomSequence
{
    private const ulong Multiplier = 0x5DEECE66D;
    private const ulong Increment = 0xB;
    private const ulong Mask = (1UL << 48) - 1;
    private const ulong LowSeed = 0x330E;

    private ulong _state = 0x1234ABCD330E;

    /// <summary>The number of different values: 2^31 - 1, as scripts divide by it.</summary>
    public const int Max = int.MaxValue;

    public void Seed(int seed) => _state = ((ulong)(uint)seed << 16) | LowSeed;

    /// <summary>A number from 0 to 2^31 - 1.</summary>
    public int Next()
    {
        _state = ((Multiplier * _state) + Increment) & Mask;
        return (int)(_state >> 17);
    }
}
