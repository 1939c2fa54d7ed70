// The documentation group of a command. Immutable.
namespace Garnet.Engine.Requests;

/// <summary>The documentation group of a command (COMMAND DOCS).</summary>
internal enum CommandGroup
{
    /// <summary>generic.</summary>
    Generic,

    /// <summary>string.</summary>
    String,

    /// <summary>list.</summary>
    List,

    /// <summary>set.</summary>
    Set,

    /// <summary>sorted-set.</summary>
    SortedSet,

    /// <summary>hash.</summary>
    Hash,

    /// <summary>pubsub.</summary>
    PubSub,

    /// <summary>transactions.</summary>
    Transactions,

    /// <summary>connection.</summary>
    Connection,

    /// <summary>server.</summary>
    Server,

    /// <summary>scripting.</summary>
    Scripting,

    /// <summary>hyperloglog.</summary>
    HyperLogLog,

    /// <summary>cluster.</summary>
    Cluster,

    /// <summary>sentinel.</summary>
    Sentinel,

    /// <summary>geo.</summary>
    Geo,

    /// <summary>stream.</summary>
    Stream,

    /// <summary>bitmap.</summary>
    Bitmap,

    /// <summary>module.</summary>
    Module,
}
