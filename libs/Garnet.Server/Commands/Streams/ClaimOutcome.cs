// What became of one entry that was to be claimed.
namespace Garnet.Server.Commands.Streams;

/// <summary>The outcome of a claim.</summary>
internal enum ClaimOutcome
{
    /// <summary>Nothing changed.</summary>
    Left,

    /// <summary>The consumer has it, and it was replied.</summary>
    Claimed,

    /// <summary>The entry is gone from the stream, and is not pending any more.</summary>
    Gone,
}
