// How keys are chosen.
namespace Garnet.Bench.Options;

/// <summary>The distribution of keys over their range; the letters are memtier's.</summary>
internal enum KeyPattern
{
    /// <summary>R: all alike.</summary>
    Uniform,

    /// <summary>G: around a median.</summary>
    Gaussian,

    /// <summary>Z: the k-th key as often as 1/k^s.</summary>
    Zipf,

    /// <summary>S: one after the other, each connection all of them.</summary>
    Sequential,

    /// <summary>P: one after the other, each connection its own part.</summary>
    Parallel,
}
