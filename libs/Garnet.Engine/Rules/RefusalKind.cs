// Why a request is refused before it runs. Immutable.
using Garnet.Engine.Execution;

namespace Garnet.Engine.Rules;

/// <summary>The reasons; each origin has its own way of telling them (<see cref="RefusalText"/> for replies).</summary>
internal enum RefusalKind
{
    /// <summary>It is not refused.</summary>
    None,

    /// <summary>The client has not logged in.</summary>
    NotAuthenticated,

    /// <summary>No command has this name.</summary>
    UnknownCommand,

    /// <summary>The container has no such subcommand. Detail: the container.</summary>
    UnknownSubcommand,

    /// <summary>The command does not take this number of arguments.</summary>
    WrongArgumentCount,

    /// <summary>An option does not let the client call the command.</summary>
    Protected,

    /// <summary>The command cannot be part of a transaction.</summary>
    NotInTransaction,

    /// <summary>Scripts may not call the command.</summary>
    NotFromScript,

    /// <summary>Modules may not call the command. Detail: the error's text.</summary>
    NotFromModule,

    /// <summary>A reason of a gate's or a module filter's own. Detail: the error's bytes, with its code.</summary>
    Custom,

    /// <summary>The user may not call the command. Detail: the user.</summary>
    CommandDenied,

    /// <summary>The user may not access a key. Detail: the user; position: the argument.</summary>
    KeyDenied,

    /// <summary>The user may not access a channel. Detail: the user; position: the argument.</summary>
    ChannelDenied,

    /// <summary>The user may not access a database. Detail: the user.</summary>
    DatabaseDenied,

    /// <summary>No primary and no log sends the command.</summary>
    NoEffect,

    /// <summary>A script that only reads calls a command that writes.</summary>
    ScriptOnlyReads,

    /// <summary>The client is sent to the primary. Detail: the error's text.</summary>
    Redirected,

    /// <summary>Memory is exhausted.</summary>
    OutOfMemory,

    /// <summary>The last snapshot failed.</summary>
    SnapshotFailed,

    /// <summary>The append-only log cannot be written. Detail: the system's message.</summary>
    LogFailed,

    /// <summary>Too few replicas are up to date.</summary>
    NoReplicas,

    /// <summary>The server is a replica.</summary>
    ReadOnlyReplica,

    /// <summary>A RESP2 client with subscriptions cannot tell replies from messages.</summary>
    OnlySubscriptions,

    /// <summary>The data of the replica may be old.</summary>
    PrimaryDown,

    /// <summary>Data is being loaded.</summary>
    Loading,

    /// <summary>A script runs for long.</summary>
    Busy,

    /// <summary>The client is a replica or a monitor.</summary>
    FromReplica,

    /// <summary>The command's effect, or the transaction, does not fit into one buffer.</summary>
    TooLong,

    /// <summary>An argument that becomes text is too long.</summary>
    TextTooLong,
}
