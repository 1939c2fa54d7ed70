// What waits for a reply of a shared connection. Completed by any thread.
namespace Garnet.Client;

/// <summary>One call, or several that were sent together and get their replies one after another.</summary>
internal interface IPendingReply
{
    /// <summary>Timestamp of the call.</summary>
    long StartedAt { get; }

    /// <summary>Takes the next reply.</summary>
    /// <returns>Whether it was the last one.</returns>
    bool Complete(RespValue reply);

    /// <summary>No reply will come. Called for each that is missing.</summary>
    void Fail(Exception why);
}
