// The state of the append-only log. Immutable, any thread.
namespace Garnet.Server.Persistence;

/// <summary>
/// States of the log in a server. Off leads to <see cref="AwaitingBase"/> when it is turned on, or a start to any of the others but
/// <see cref="Off"/>; a base or space leads on to <see cref="On"/>. A disk failure does not change the state: the log itself has failed then,
/// until a rewrite replaces it.
/// </summary>
internal enum AppendOnlyState
{
    /// <summary>Nothing is logged.</summary>
    Off,

    /// <summary>The disk had no space for the log to continue at the start: there is none, and the files are as they were read.</summary>
    AwaitingSpace,

    /// <summary>There should be a log, and there is none until a rewrite succeeds: the files lack what is in memory.</summary>
    Denied,

    /// <summary>Effects are logged, but the snapshot they continue is still being saved: a restart would not recover them yet.</summary>
    AwaitingBase,

    /// <summary>Effects are logged.</summary>
    On,
}
