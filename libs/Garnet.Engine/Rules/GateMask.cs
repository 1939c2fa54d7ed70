// The gates that a command may have to pass, as bits of one word; their order is the order in which they are asked. Immutable.
namespace Garnet.Engine.Rules;

/// <summary>
/// One bit for each gate. The order is that of Valkey's processCommand, so that a command which several gates refuse gets the same error.
/// Each is declared by the one before it; the values are the server's own and stored nowhere. The store is told the two that it raises
/// itself (<see cref="Store.Conditions.AssignBits"/>).
/// </summary>
[Flags]
internal enum GateMask : uint
{
    /// <summary>No gate.</summary>
    None = 0,

    /// <summary>A command that scripts may not call.</summary>
    ScriptCallable = 1,

    /// <summary>A command whose option does not let the client call it (DEBUG).</summary>
    Protected = ScriptCallable << 1,

    /// <summary>A command that cannot be part of a transaction.</summary>
    NoMulti = Protected << 1,

    /// <summary>What a module may call.</summary>
    ModuleCallable = NoMulti << 1,

    /// <summary>The rules of the client's user.</summary>
    Permission = ModuleCallable << 1,

    /// <summary>A command that no primary and no log sends.</summary>
    EffectsOnly = Permission << 1,

    /// <summary>A write of a script that only reads.</summary>
    ScriptWrites = EffectsOnly << 1,

    /// <summary>Clients that know of it are sent to the primary.</summary>
    Redirect = ScriptWrites << 1,

    /// <summary>Waits for memory that is being freed; the reservation of memory, which may refuse, follows at this place.</summary>
    Memory = Redirect << 1,

    /// <summary>Writes after a failure of the disk.</summary>
    Saved = Memory << 1,

    /// <summary>Writes while too few replicas are up to date.</summary>
    Replicas = Saved << 1,

    /// <summary>Writes on a replica.</summary>
    ReadOnly = Replicas << 1,

    /// <summary>A RESP2 client with subscriptions.</summary>
    Subscriber = ReadOnly << 1,

    /// <summary>A replica whose data may be old.</summary>
    Stale = Subscriber << 1,

    /// <summary>Data is being loaded.</summary>
    Loading = Stale << 1,

    /// <summary>A script runs for long.</summary>
    Busy = Loading << 1,

    /// <summary>Clients that are replicas or monitors.</summary>
    Feed = Busy << 1,

    /// <summary>A request that is too large for one effect, one transaction or one text.</summary>
    Size = Feed << 1,

    /// <summary>CLIENT PAUSE.</summary>
    Pause = Size << 1,

    /// <summary>Waits until a snapshot has space for old images.</summary>
    SnapshotSpace = Pause << 1,

    /// <summary>Waits until the append-only log has space.</summary>
    LogSpace = SnapshotSpace << 1,

    /// <summary>Waits for values that are not in memory.</summary>
    ColdValue = LogSpace << 1,

    /// <summary>Waits for a private copy of a large value that others still read.</summary>
    SharedBlock = ColdValue << 1,

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
