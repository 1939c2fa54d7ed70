// The gates that a command may have to pass, as bits of one word; their order is the order in which they are asked. Immutable.
namespace Garnet.Engine.Rules;

/// <summary>
/// One bit for each gate. The order is that of Valkey's processCommand, so that a command which several gates refuse gets the same error.
/// The values are the server's own and stored nowhere. The bits of the store are declared in <see cref="Store.Conditions"/>.
/// </summary>
[Flags]
internal enum GateMask : uint
{
    /// <summary>No gate.</summary>
    None = 0,

    /// <summary>A command that scripts may not call.</summary>
    ScriptCallable = 1 << 0,

    /// <summary>A command whose option does not let the client call it (DEBUG).</summary>
    Protected = 1 << 1,

    /// <summary>A command that cannot be part of a transaction.</summary>
    NoMulti = 1 << 2,

    /// <summary>What a module may call.</summary>
    ModuleCallable = 1 << 3,

    /// <summary>The rules of the client's user.</summary>
    Permission = 1 << 4,

    /// <summary>A command that no primary and no log sends.</summary>
    EffectsOnly = 1 << 5,

    /// <summary>A write of a script that only reads.</summary>
    ScriptWrites = 1 << 6,

    /// <summary>Clients that know of it are sent to the primary.</summary>
    Redirect = 1 << 7,

    /// <summary>Waits for memory that is being freed; the reservation of memory, which may refuse, follows at this place.</summary>
    Memory = 1 << Store.Conditions.MemoryBit,

    /// <summary>Writes after a failure of the disk.</summary>
    Saved = 1 << 9,

    /// <summary>Writes while too few replicas are up to date.</summary>
    Replicas = 1 << 10,

    /// <summary>Writes on a replica.</summary>
    ReadOnly = 1 << 11,

    /// <summary>A RESP2 client with subscriptions.</summary>
    Subscriber = 1 << 12,

    /// <summary>A replica whose data may be old.</summary>
    Stale = 1 << 13,

    /// <summary>Data is being loaded.</summary>
    Loading = 1 << 14,

    /// <summary>A script runs for long.</summary>
    Busy = 1 << 15,

    /// <summary>Clients that are replicas or monitors.</summary>
    Feed = 1 << 16,

    /// <summary>A request that is too large for one effect, one transaction or one text.</summary>
    Size = 1 << 17,

    /// <summary>CLIENT PAUSE.</summary>
    Pause = 1 << 18,

    /// <summary>Waits until a snapshot has space for old images.</summary>
    SnapshotSpace = 1 << Store.Conditions.SnapshotBit,

    /// <summary>Waits until the append-only log has space.</summary>
    LogSpace = 1 << 20,

    /// <summary>Waits for values that are not in memory.</summary>
    ColdValue = 1 << 21,

    /// <summary>Waits for a private copy of a large value that others still read.</summary>
    SharedBlock = 1 << 22,

    /// <summary>Those about the state of the server, whoever asks; EXEC is asked them for the commands that it runs.</summary>
    State = Redirect | Memory | Saved | Replicas | ReadOnly | Stale | Loading | Busy,

    /// <summary>Those that concern EXEC because of a command that is queued.</summary>
    OfQueue = (State & ~Busy) | Pause | SnapshotSpace | LogSpace | ColdValue,

    /// <summary>Those that have to do with running a command: one that is only queued does not wait for them.</summary>
    OfExecution = Memory | SnapshotSpace | LogSpace | ColdValue | SharedBlock,

    /// <summary>Raised in tests: gates that are not raised must let the request pass.</summary>
    Checked = 1u << 31,

    /// <summary>All.</summary>
    All = uint.MaxValue,
}
