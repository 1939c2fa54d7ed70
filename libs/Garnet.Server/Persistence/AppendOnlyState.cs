// What the append-only log is doing. Immutable, any thread.
namespace Garnet.Server.Persistence;

/// <summary>Stages of the log's life in a server.</summary>
public enum AppendOnlyState
{
    /// <summary>Nothing is logged.</summary>
    Off,

    /// <summary>Effects are logged, but the snapshot they continue is still being saved: a start would not find them yet.</summary>
    AwaitingBase,

    /// <summary>Effects are logged.</summary>
    On,
}
