// The result of an attempt to claim an entry.
namespace Garnet.Commands.Streams;

/// <summary>The outcome of a claim.</summary>
internal enum ClaimOutcome
{
    /// <summary>The entry was not claimed.</summary>
    NotClaimed,

    /// <summary>The entry is now pending for the consumer, and was written to the reply.</summary>
    Claimed,

    /// <summary>The entry has been deleted from the stream, and is no longer pending.</summary>
    Deleted,
}
