// Reads the score of a member. Lives on the stack of one read.
using Garnet.Store;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Reads the score of a member, if it exists.</summary>
internal ref struct ScoreReader : IValueReader
{
    private double _score;

    /// <summary>The member to look up.</summary>
    public required ReadOnlySpan<byte> Member { get; init; }

    /// <summary>Whether it exists.</summary>
    public bool IsFound { get; private set; }

    /// <summary>Its score.</summary>
    public readonly double Score => _score;

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info) =>
        IsFound = new SortedSetView(value, info).TryGetScore(Member, out _score);
}
