// Why the processing of a batch stopped.
namespace Garnet.Server.Sessions;

/// <summary>What a session does after a batch.</summary>
internal enum BatchOutcome
{
    /// <summary>A command threw; the connection ends.</summary>
    Failed,

    /// <summary>All complete requests were executed; more bytes are needed.</summary>
    NeedMore,

    /// <summary>Replies grew large: flush them, then go on with the bytes at hand.</summary>
    FlushAndContinue,

    /// <summary>A command's reply comes later.</summary>
    Pending,

    /// <summary>A pause, or a snapshot without room for old images, holds the next command back.</summary>
    Paused,

    /// <summary>A large argument is to be received straight into its block.</summary>
    ReceiveInPlace,

    /// <summary>Flush and end the connection.</summary>
    Close,
}
