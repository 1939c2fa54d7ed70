// The state of the append-only log. Immutable, any thread.
namespace Garnet.Server.Persistence;

/// <summary>States of the log in a server.</summary>
internal enum AppendOnlyState
{
    /// <summary>Nothing is logged.</summary>
    Off,

    /// <summary>Effects are logged, but the snapshot they continue is still being saved: a restart would not recover them yet.</summary>
    AwaitingBase,

    /// <summary>Effects are logged.</summary>
    On,
}
