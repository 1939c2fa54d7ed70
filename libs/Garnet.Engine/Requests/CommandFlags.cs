// The behaviour flags of a command, as in COMMAND INFO (Valkey's command flags). Immutable.
namespace Garnet.Engine.Requests;

/// <summary>How a command behaves; names and meanings are those of Valkey's COMMAND INFO.</summary>
[Flags]
internal enum CommandFlags
{
    /// <summary>No flag.</summary>
    None = 0,

    /// <summary>May change the data set.</summary>
    Write = 1 << 0,

    /// <summary>Reads keys only.</summary>
    ReadOnly = 1 << 1,

    /// <summary>Rejected when memory is exhausted.</summary>
    DenyOom = 1 << 2,

    /// <summary>Administrative.</summary>
    Admin = 1 << 3,

    /// <summary>Publish/subscribe.</summary>
    PubSub = 1 << 4,

    /// <summary>Not allowed from scripts.</summary>
    NoScript = 1 << 5,

    /// <summary>May block its client.</summary>
    Blocking = 1 << 6,

    /// <summary>Allowed while the data set loads.</summary>
    Loading = 1 << 7,

    /// <summary>Allowed on a replica with stale data.</summary>
    Stale = 1 << 8,

    /// <summary>Not shown by MONITOR.</summary>
    SkipMonitor = 1 << 9,

    /// <summary>Not entered into the slow log.</summary>
    SkipSlowlog = 1 << 10,

    /// <summary>Allowed with ASKING implied.</summary>
    Asking = 1 << 11,

    /// <summary>Constant or logarithmic time.</summary>
    Fast = 1 << 12,

    /// <summary>Allowed before authentication.</summary>
    NoAuth = 1 << 13,

    /// <summary>May be replicated although it is not a write.</summary>
    MayReplicate = 1 << 14,

    /// <summary>Key arguments may be absent.</summary>
    NoMandatoryKeys = 1 << 15,

    /// <summary>Allowed while a script runs too long.</summary>
    AllowBusy = 1 << 16,

    /// <summary>Not allowed while an asynchronous load runs.</summary>
    NoAsyncLoading = 1 << 17,

    /// <summary>Not allowed inside MULTI.</summary>
    NoMulti = 1 << 18,

    /// <summary>Key positions depend on the arguments in a way that no key specification describes.</summary>
    MovableKeys = 1 << 19,

    /// <summary>Of a module.</summary>
    Module = 1 << 20,

    /// <summary>Rejected unless an option allows it (DEBUG); not shown.</summary>
    Protected = 1 << 29,

    /// <summary>Accesses the whole keyspace or keys it does not declare, so inside MULTI it runs alone.</summary>
    WholeKeyspace = 1 << 30,
}
