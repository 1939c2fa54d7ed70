// A session's state in relation to the barrier. Part of a StoreSession; used by its thread.
namespace Garnet.Store;

/// <summary>Whether a session holds the keyspace alone, or visits one that does.</summary>
internal struct SessionBarrierState
{
    /// <summary>True between <see cref="StoreSession.BeginExclusive"/> and <see cref="StoreSession.EndExclusive"/>.</summary>
    public readonly bool IsExclusive => Depth != 0;

    /// <summary>
    /// Whether the session enters even while another one holds the keyspace for long, as its guest; others wait for the end.
    /// </summary>
    public bool MayBeGuest { get; set; }

    /// <summary>
    /// True inside a batch that was entered while another session holds the keyspace: no data may be read or changed, only what is watched.
    /// </summary>
    public bool IsGuest { get; internal set; }

    /// <summary>Whether the keyspace is given back when the command ends.</summary>
    internal bool EndsWithCommand { get; set; }

    /// <summary>How often the keyspace was taken.</summary>
    internal int Depth { get; set; }
}
