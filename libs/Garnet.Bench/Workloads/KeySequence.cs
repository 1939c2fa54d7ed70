// Chooses the numbers of keys. One thread.
using Garnet.Bench.Options;

namespace Garnet.Bench.Workloads;

/// <summary>The numbers that one connection uses for its keys, in their order.</summary>
internal abstract class KeySequence
{
    /// <summary>The next number, within the range of the options.</summary>
    public abstract long Next();

    /// <summary>Creates the sequence of a pattern for one of several connections.</summary>
    /// <param name="pattern">How numbers are chosen.</param>
    /// <param name="keys">Their range, and the pattern's parameters.</param>
    /// <param name="random">Source of those that are random; of the thread.</param>
    /// <param name="connection">Which connection, counted from 0 over all threads.</param>
    /// <param name="connections">How many there are.</param>
    public static KeySequence Create(KeyPattern pattern, KeyOptions keys, SeededRandom random, int connection, int connections) =>
        pattern switch
        {
            KeyPattern.Gaussian => new GaussianKeys(keys, random),
            KeyPattern.Zipf => new ZipfKeys(keys, random),
            KeyPattern.Sequential => new SequentialKeys(keys.Minimum, keys.Count),
            KeyPattern.Parallel => SequentialKeys.PartOf(keys, connection, connections),
            _ => new UniformKeys(keys, random),
        };
}
