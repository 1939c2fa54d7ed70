// All keys alike. One thread.
using Garnet.Bench.Options;

namespace Garnet.Bench.Workloads;

/// <summary>Numbers of the range with the same probability.</summary>
internal sealed class UniformKeys(KeyOptions keys, SeededRandom random) : KeySequence
{
    private readonly long _minimum = keys.Minimum;
    private readonly long _count = keys.Count;

    /// <inheritdoc/>
    public override long Next() => _minimum + random.Next(_count);
}
