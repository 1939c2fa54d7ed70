// Why the processing of a batch stopped.
namespace Garnet.Engine.Rules;

/// <summary>What a session does after a batch.</summary>
internal enum BatchOutcome
{
    /// <summary>A command threw; the connection ends.</summary>
    Failed,

    /// <summary>All complete requests were executed; more bytes are needed.</summary>
    NeedMore,

    /// <summary>The replies have become large: flush them, then continue with the remaining bytes.</summary>
    FlushAndContinue,

    /// <summary>A command's reply is pending.</summary>
    Pending,

    /// <summary>A pause, or a snapshot without space for old images, delays the next command.</summary>
    Paused,

    /// <summary>A large argument is to be received directly into its block.</summary>
    ReceiveInPlace,

    /// <summary>Flush and end the connection.</summary>
    Close,
}
