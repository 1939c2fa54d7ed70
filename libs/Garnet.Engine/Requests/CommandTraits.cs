// Properties of a command that matter to the server only, besides the flags that clients see. Immutable.
namespace Garnet.Engine.Requests;

/// <summary>Properties of a command that COMMAND INFO does not show.</summary>
[Flags]
internal enum CommandTraits
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Acts on the connection, so it cannot be called in the process.</summary>
    OfConnection = 1 << 0,

    /// <summary>Runs at once inside MULTI instead of being queued.</summary>
    ControlsTransaction = 1 << 1,

    /// <summary>Begins a transaction (MULTI).</summary>
    BeginsTransaction = 1 << 2,

    /// <summary>Runs the queued commands, and acts with their flags (EXEC).</summary>
    RunsTransaction = 1 << 3,

    /// <summary>Selects a database for the commands that follow (SELECT).</summary>
    SelectsDatabase = 1 << 4,

    /// <summary>Reports that writes are rejected, as a write does (PING).</summary>
    ReportsWriteDenial = 1 << 5,

    /// <summary>Changes part of the string at its first key, whatever the string's length.</summary>
    ChangesPart = 1 << 6,

    /// <summary>Takes arguments of any length although it is about connections or the server: it does not convert them to text.</summary>
    TakesLongArguments = 1 << 7,

    /// <summary>All its calls take similar time, although it is not marked fast.</summary>
    Short = 1 << 8,

    /// <summary>Changes every database, so that its user must be allowed all of them.</summary>
    ChangesEveryDatabase = 1 << 9,

    /// <summary>Allowed for RESP2 clients with subscriptions, which could not distinguish other replies from messages.</summary>
    ForSubscribers = 1 << 10,

    /// <summary>Part of the protocol between primary and replica, and no effect on data (REPLCONF).</summary>
    OfReplication = 1 << 11,

    /// <summary>Runs commands of its own (EVAL): what they change is counted and propagated by them.</summary>
    RunsScript = 1 << 12,

    /// <summary>Clears the measured latencies, and is not measured itself: the first sample after it would be its own.</summary>
    ClearsLatencies = 1 << 13,

    /// <summary>Changes no data and is not replicated, but older primaries and logs have it (SCRIPT LOAD).</summary>
    ReplicatedByOldServers = 1 << 14,

    /// <summary>A write that is replicated only as other commands, because it also acts outside of the data (MIGRATE).</summary>
    NeverReplicated = 1 << 15,

    /// <summary>
    /// Unknown to replicas before Valkey 9.0. Its own effects may be commands that they know (MSETEX); another primary's are not.
    /// </summary>
    NeedsNewReplicas = 1 << 16,

    /// <summary>Has to do with its keys, but not with their values, which may be on disk.</summary>
    IgnoresValue = 1 << 17,

    /// <summary>Uses the value that its key specification only removes (DELIFEQ) or overwrites (BITOP, in place).</summary>
    Compares = 1 << 18,

    /// <summary>Compares the value that its key specification only overwrites, when called with IFEQ (SET).</summary>
    MayCompare = 1 << 19,
}
